/** What people ask a model for, with as few calls as the descriptions of the tools lead to, against the real service. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { outboxOf, runJobs } from '../privacy/requests'
import { Agent, newPrincipal, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'
import { type Helper, startHelper } from './helper'
import { removeHomes, type ToolResult } from './tool-host'

let app: App
let helper: Helper
/** The tools that were called for the task, in their order. */
let calls: string[]

beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
})
afterEach(() => helper.host.close())
afterAll(async () => {
  await app.close()
  await removeHomes()
})

async function startTask(approvalRule?: 'above_limits'): Promise<Helper> {
  helper = await startHelper(app, approvalRule)
  calls = []
  return helper
}

async function call(name: string, args: object = {}): Promise<ToolResult> {
  calls.push(name)
  const result = await helper.host.call(name, args)
  if (result.isError) throw new Error(result.texts.join('\n'))
  return result
}

interface Item {
  readonly sku: string
  readonly title: string
  readonly unit_price_minor: number
  readonly currency: string
  readonly in_stock: boolean
  readonly offer_id: string
  readonly offer_digest: string
}
interface Offer {
  readonly merchant: string
  readonly item: Item
}

async function browse(id: string, merchant: string): Promise<Offer[]> {
  const { data } = await call('agent_browse_merchant', { merchant_id: id })
  return (data['items'] as Item[]).map((item) => ({ merchant, item }))
}

async function findMerchants(filter: object): Promise<{ id: string; merchant_audience: string }[]> {
  return (await call('discovery_list_merchants', filter)).data['merchants'] as {
    id: string
    merchant_audience: string
  }[]
}

/** The arguments that the descriptions name, and no other. */
const payFor = ({ merchant, item: { sku, unit_price_minor, currency, offer_id, offer_digest } }: Offer) =>
  call('agent_payment_initiate', {
    merchant_url: merchant,
    merchant_base_api: merchant,
    amount: { currency, amount_minor: unit_price_minor },
    line_items: [{ sku, qty: 1, unit_price_minor, currency }],
    offer_id,
    offer_digest,
    redirect_uri: REDIRECT_URI,
  })

test('“buy the cheapest in-stock notebook under 10 euros”: the directory, every catalog, one payment', async () => {
  await startTask()
  const merchants = await findMerchants({ currency: 'EUR' })
  const offers: Offer[] = []
  for (const { id, merchant_audience: audience } of merchants) offers.push(...(await browse(id, audience)))
  const [cheapest] = offers
    .filter(({ item }) => item.in_stock && item.currency === 'EUR' && item.unit_price_minor < 1_000)
    .filter(({ item }) => /notebook/i.test(item.title))
    .toSorted((one, other) => one.item.unit_price_minor - other.item.unit_price_minor)
  if (cheapest === undefined) throw new Error('no notebook')
  const { data } = await payFor(cheapest)
  expect(cheapest.item.sku).toBe('field-notebook')
  expect(data).toMatchObject({ status: 'paid', receipt: { amount_minor: 750, currency: 'EUR' } })
  expect(calls).toEqual([
    'discovery_list_merchants',
    ...merchants.map(() => 'agent_browse_merchant'),
    'agent_payment_initiate',
  ])
})

test('“pay this invoice of 12 euros at Tallow Books”: the merchant, its catalog, one payment', async () => {
  await startTask()
  const [shop] = await findMerchants({ q: 'Tallow Books' })
  if (shop === undefined) throw new Error('no shop')
  const offers = await browse(shop.id, shop.merchant_audience)
  const invoiced = offers.filter(({ item }) => item.currency === 'EUR' && item.unit_price_minor === 1_200)
  expect(invoiced).toHaveLength(1)
  const { data } = await payFor(invoiced[0] as Offer)
  expect(data).toMatchObject({ status: 'paid', receipt: { amount_minor: 1_200 } })
  expect(calls).toEqual(['discovery_list_merchants', 'agent_browse_merchant', 'agent_payment_initiate'])
})

test('“what did my agents spend this week”: one call, for all agents of the person', async () => {
  const { principalId } = await startTask('above_limits')
  const laptop = await Agent.register(app, principalId)
  const other = await Agent.register(app, (await newPrincipal(app, { approval_rule: 'above_limits' })).principalId)
  const bought = await laptop.buy()
  await laptop.settle(bought.access_token, bought.mandate_jwt, 'laptop-1')
  const foreign = await other.buy()
  await other.settle(foreign.access_token, foreign.mandate_jwt, 'other-1')
  const monday = new Date(app.platform.clock.now().getTime() - 7 * 86_400_000).toISOString()
  const { data } = await call('agent_payment_history', {
    principal_token: 'session:default',
    from_iso: monday,
    limit: 100,
  })
  expect(data).toMatchObject({
    payments: [{ agent_client_id: laptop.clientId, amount_minor: bought.amount, currency: 'EUR' }],
    has_more: false,
  })
  expect(calls).toEqual(['agent_payment_history'])
})

test('“stop the agent on my old laptop”: the list, and one revocation of the one that it names', async () => {
  const { principalId, clientId } = await startTask()
  const laptop = await Agent.register(app, principalId, { client_name: 'Shopper on the old laptop' })
  const way = { as_url: app.baseUrl, resource: app.baseUrl, redirect_uri: REDIRECT_URI }
  const { data } = await call('agent_wallet_list_agents', way)
  const agents = data['agents'] as { client_id: string; label: string; revoked: boolean }[]
  const meant = agents.filter(({ label, revoked }) => !revoked && /old laptop/.test(label))
  expect(meant).toMatchObject([{ client_id: laptop.clientId }])
  const stopped = await call('agent_wallet_revoke_agent', { ...way, agent_client_id: meant[0]?.client_id })
  expect(stopped.data).toMatchObject({ ok: true, client_id: laptop.clientId })
  expect(calls).toEqual(['agent_wallet_list_agents', 'agent_wallet_revoke_agent'])
  const after = await call('agent_wallet_list_agents', way)
  const running = (after.data['agents'] as typeof agents).filter(({ revoked }) => !revoked)
  expect(running.map(({ client_id: id }) => id)).toContain(clientId)
})

test('“I want all my data”: one call, and the mail comes', async () => {
  const { email } = await startTask()
  const { data } = await call('agent_dsar_initiate', { right: 'access', principal_token: 'session:default' })
  expect(data).toMatchObject({ status: 'queued', request_id: expect.any(String) })
  expect(calls).toEqual(['agent_dsar_initiate'])
  await runJobs(app)
  const dumps = (await outboxOf(app, email)).filter((message) => message.data !== undefined)
  expect(dumps).toMatchObject([{ data: { request_id: data['request_id'] } }])
})

test('an address that a model guesses is answered with the one in use, before anybody is asked', async () => {
  const { host } = await startTask()
  const guessed = { as_url: 'https://countersign.example', resource: 'https://countersign.example' }
  const { isError, texts } = await host.call('agent_wallet_list_agents', { ...guessed, redirect_uri: REDIRECT_URI })
  expect([isError, texts[0]]).toEqual([
    true,
    'agent_wallet_list_agents failed: as_url is not the authorization server of this agent',
  ])
  expect(texts[1]).toContain(`The one in use is ${app.baseUrl}.`)
})

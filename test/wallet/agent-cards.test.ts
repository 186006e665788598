/** Portal-2, 6: a card that is bound to one agent, as pages, the HTTP API and agents see it. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { AgentView, ConsentView } from '@/server/surfaces/portal'
import { withApp } from '../oauth/setup'
import { Agent, Person } from '../support/actors'
import type { App } from '../support/app'
import { Browser, dataOf, refusalOf } from '../support/browser'

interface Card {
  readonly id: string
  readonly last4: string
  readonly is_default: boolean
  readonly agent_client_id: string | null
}

const OTHER = '4000000000000002'
const ANOTHER = '4000000000009995'

let app: App
let page: Browser
let principalId: string
let person: Person
withApp((started) => {
  app = started
})
beforeAll(async () => {
  page = new Browser(app.platform)
  await page.signInAsDemo()
  const [demo] = await app.platform.db.query<{ principal_id: string }>(
    sql`SELECT principal_id FROM portal_sessions ORDER BY created_at DESC LIMIT 1`,
  )
  principalId = demo?.principal_id ?? ''
  person = await Person.signIn(app, principalId)
  await page.mutate('cards.enrolTestCard', { number: OTHER })
})

const cards = async () => (await person.call<{ cards: Card[] }>('GET', '/wallet/cards')).json.cards
const cardOf = async (last4: string) => (await cards()).find((card) => card.last4 === last4)?.id ?? 'none'
const choose = ({ clientId }: Agent, cardId: string | null) =>
  page.mutate('agents.chooseCard', { client_id: clientId, card_id: cardId })

/** What becomes of the agent's request, and the card that the approve page shows. */
async function ask(agent: Agent, minor: number) {
  const pushed = await agent.push((await agent.purchase({ amount_minor: minor })).form)
  const url = `${app.baseUrl}/oauth/par/${encodeURIComponent(pushed.json.request_uri)}/status`
  const { status } = (await (await fetch(url)).json()) as { status: string }
  const { pending } = dataOf<{ pending: ConsentView[] }>(await page.query('approvals.pending'))
  const waiting = pending.find((one) => one.agent.client_id === agent.clientId)
  if (waiting === undefined) return { status, card: null }
  const shown = dataOf<ConsentView>(await page.query('approvals.one', { id: waiting.authorization_id }))
  await page.mutate('approvals.decide', { authorization_id: waiting.authorization_id, decision: 'decline' })
  return { status, card: shown.default_card?.last4 ?? null }
}

/** Returns whether the agent's purchase is refused because something is missing in the wallet. */
async function setupIsRequired(agent: Agent): Promise<boolean> {
  const pushed = await agent.push((await agent.purchase({ amount_minor: 600 })).form)
  return (await agent.authorize(pushed.json.request_uri)).result['error'] === 'setup_required'
}

test('the card of an agent is named on its page, in the API and on the approve page', async () => {
  const agent = await Agent.register(app, principalId)
  const other = await Agent.register(app, principalId)
  const own = await cardOf('0002')
  const view = async () => dataOf<AgentView>(await page.query('agents.one', { client_id: agent.clientId })).cards
  expect(await view()).toMatchObject({ own_id: null, default_card: { last4: '4242' }, choices: [{ id: own }] })

  expect((await choose(agent, own)).status).toBe(200)
  expect(await view()).toMatchObject({ own_id: own, choices: [{ id: own }] })
  expect((await cards()).map(({ last4, agent_client_id: id }) => [last4, id])).toEqual([
    ['4242', null],
    ['0002', agent.clientId],
  ])
  expect([await ask(agent, 500), await ask(other, 500)]).toEqual([
    { status: 'pending', card: '0002' },
    { status: 'pending', card: '4242' },
  ])
  const refused = await person.call('POST', `/wallet/cards/${own}/default`)
  expect([refused.status, refused.json['error']]).toEqual([409, 'conflict'])
  expect(refusalOf(await choose(other, own))).toMatchObject({ error: 'conflict' })

  expect((await page.mutate('agents.revoke', { client_id: agent.clientId })).status).toBe(200)
  expect((await cards()).map(({ agent_client_id: id }) => id)).toEqual([null, null])
})

test('an agent whose card was removed cannot ask until the person chooses another for it', async () => {
  const agent = await Agent.register(app, principalId)
  const other = await Agent.register(app, principalId)
  await page.mutate('cards.enrolTestCard', { number: ANOTHER })
  await choose(agent, await cardOf('9995'))
  const pushed = await agent.push((await agent.purchase({ amount_minor: 700 })).form)
  const { authorization_id: waiting } = dataOf<{ pending: ConsentView[] }>(await page.query('approvals.pending'))
    .pending[0] ?? { authorization_id: 'none' }
  expect((await person.call('DELETE', `/wallet/cards/${await cardOf('9995')}`)).status).toBe(200)
  expect(dataOf(await page.query('approvals.one', { id: waiting }))).toMatchObject({
    default_card: null,
    own_card_removed: true,
  })
  await page.mutate('approvals.decide', { authorization_id: waiting, decision: 'decline' })
  expect((await agent.authorize(pushed.json.request_uri)).result['error']).toBe('access_denied')

  const later = await agent.push((await agent.purchase({ amount_minor: 700 })).form)
  expect((await agent.authorize(later.json.request_uri)).result).toMatchObject({
    error: 'setup_required',
    error_description:
      'The card of this agent was removed. The person has to choose another card for it, or the default.',
  })
  expect(await ask(other, 700)).toEqual({ status: 'pending', card: '4242' })
  const view = async () => dataOf<AgentView>(await page.query('agents.one', { client_id: agent.clientId })).cards
  expect(await view()).toMatchObject({ own_id: null, own_removed: true, default_card: { last4: '4242' } })
  expect((await choose(agent, null)).status).toBe(200)
  expect(await view()).toMatchObject({ own_id: null, own_removed: false })
  expect(await ask(agent, 700)).toEqual({ status: 'pending', card: '4242' })
})

test('without a default card only the agent with a card of its own can ask', async () => {
  const agent = await Agent.register(app, principalId)
  const other = await Agent.register(app, principalId)
  await choose(agent, await cardOf('0002'))
  await person.call('DELETE', `/wallet/cards/${await cardOf('4242')}`)
  expect(await ask(agent, 600)).toEqual({ status: 'pending', card: '0002' })
  expect(await setupIsRequired(other)).toBe(true)
})

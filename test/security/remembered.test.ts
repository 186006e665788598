/** Decision B13: a remembered approval covers an amount, a payee and a card, and not whatever comes later. */
import { expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { migrate, migrationsDirectory } from '@/server/base/platform/database/migrate'
import type { ConsentView } from '@/server/surfaces/portal'
import { withApp } from '../oauth/setup'
import { Agent, must, newPrincipal, Person } from '../support/actors'
import type { App } from '../support/app'
import { Browser, dataOf, refusalOf } from '../support/browser'
import { openBefore } from '../support/upgrade'

let app: App
withApp((started) => {
  app = started
})

async function household(options: Parameters<typeof newPrincipal>[1] = {}) {
  const { principalId } = await newPrincipal(app, options)
  return {
    principalId,
    agent: await Agent.register(app, principalId),
    person: await Person.signIn(app, principalId),
  }
}

/** Whether the person is asked about a purchase of the amount, and the request if so. */
async function ask(agent: Agent, minor: number, more: Parameters<Agent['purchase']>[0] = {}) {
  const pushed = await agent.push((await agent.purchase({ amount_minor: minor, ...more })).form)
  expect(pushed.status, pushed.text).toBe(201)
  const url = `${app.baseUrl}/oauth/par/${encodeURIComponent(pushed.json.request_uri)}/status`
  const { status } = (await (await fetch(url)).json()) as { status: string }
  return status === 'pending'
}

async function decideAll(person: Person, decision: 'approve' | 'decline') {
  for (const { authorization_id: id } of await person.pending()) {
    expect((await person.decide(id, decision)).status).toBe(200)
  }
}

async function approve({ agent, person }: { agent: Agent; person: Person }, minor: number, currency = 'EUR') {
  expect(await ask(agent, minor, { currency })).toBe(true)
  await decideAll(person, 'approve')
}

test('B13 an approval of 5.00 does not let 4,000.00 pass', async () => {
  const home = await household()
  await approve(home, 500)
  expect(await ask(home.agent, 400_000)).toBe(true)
})

test('B13 a remembered approval covers up to twice the amount, in its currency and for its agent', async () => {
  const home = await household()
  await approve(home, 500)
  expect(await ask(home.agent, 1_000)).toBe(false)
  expect(await ask(home.agent, 1_001)).toBe(true)
  await decideAll(home.person, 'decline')
  expect(await ask(home.agent, 1_000)).toBe(false)
  expect(await ask(home.agent, 400, { currency: 'USD' })).toBe(true)
  expect(await ask(await Agent.register(app, home.principalId), 100)).toBe(true)
  expect(await ask(home.agent, 100, { merchant: `${app.baseUrl}/sandbox/merchants/kumo-supplies` })).toBe(true)
})

test('B13 approving above the amount replaces it, downwards too when the currency is another', async () => {
  const home = await household()
  await approve(home, 500)
  await approve(home, 2_000)
  expect(await ask(home.agent, 4_000)).toBe(false)
  expect(await ask(home.agent, 4_001)).toBe(true)
  await decideAll(home.person, 'decline')
  await approve(home, 300, 'USD')
  expect(await ask(home.agent, 600, { currency: 'USD' })).toBe(false)
  expect(await ask(home.agent, 100)).toBe(true)
})

test('B13 another name of the payee is asked about, and the approval of it is remembered', async () => {
  const home = await household()
  await approve(home, 500)
  const shop = `${app.baseUrl}/sandbox/merchants/tallow-books`
  const rename = (name: string) =>
    app.platform.db.query(sql`UPDATE merchants SET business_name = ${name} WHERE merchant_audience = ${shop}`)
  await rename('Quick Cash')
  try {
    await approve(home, 500)
    expect(await ask(home.agent, 500)).toBe(false)
  } finally {
    await rename('Tallow Books')
  }
  expect(await ask(home.agent, 500)).toBe(true)
})

test.each(['every_purchase', 'above_limits'] as const)(
  'B13 a purchase that was approved under the rule %s is asked about once new merchants are',
  async (approval_rule) => {
    const home = await household({ approval_rule, limits: { single_txn_cap_minor: 400, currency: 'EUR' } })
    await approve(home, 500)
    await app.platform.db.query(
      sql`UPDATE principals SET approval_rule = 'new_merchants' WHERE id = ${home.principalId}`,
    )
    expect(await ask(home.agent, 100)).toBe(true)
    await decideAll(home.person, 'approve')
    expect(await ask(home.agent, 200)).toBe(false)
  },
)

test('B13 another card than the approved one is asked about', async () => {
  const home = await household()
  await approve(home, 500)
  const [before] = await app.platform.db.query<{ id: string }>(
    sql`SELECT id FROM card_mandates WHERE principal_id = ${home.principalId}`,
  )
  await app.platform.db.query(
    sql`UPDATE card_mandates SET id = ${`other-${String(before?.id)}`} WHERE principal_id = ${home.principalId}`,
  )
  await approve(home, 500)
  expect(await ask(home.agent, 500)).toBe(false)
})

const rules = ['every_purchase', 'new_merchants', 'above_limits'] as const

test.each(rules)('B13 wallet access that was approved is remembered under the rule %s', async (approval_rule) => {
  const { agent, person } = await household({ approval_rule })
  const push = async () => (await agent.push((await agent.walletAccess('wallet:read')).form)).json.expires_in
  expect(await push()).toBe(900)
  await decideAll(person, 'approve')
  expect(await push()).toBe(60)
})

/** The demo person with an agent of their own and a browser; `press` approves what waits, with a choice for the next time. */
async function atThePage() {
  const page = new Browser(app.platform)
  await page.signInAsDemo()
  const [demo] = await app.platform.db.query<{ principal_id: string }>(
    sql`SELECT principal_id FROM portal_sessions ORDER BY created_at DESC LIMIT 1`,
  )
  const agent = await Agent.register(app, demo?.principal_id ?? '')
  const open = async () => {
    const { pending } = dataOf<{ pending: { authorization_id: string; agent: { client_id: string } }[] }>(
      await page.query('approvals.pending'),
    )
    const id = pending.find((one) => one.agent.client_id === agent.clientId)?.authorization_id ?? ''
    return dataOf<ConsentView>(await page.query('approvals.one', { id }))
  }
  const press = async (choice: { ask_above_minor?: number }) => {
    const { authorization_id: id, merchant_audience, amount_minor, currency, line_items: items = [] } = await open()
    const shown = {
      merchant_origin: merchant_audience,
      amount_minor,
      currency,
      items: items.map(({ sku, title = null, qty, unit_price_minor = null }) => ({
        sku,
        title,
        qty,
        unit_price_minor,
      })),
      ...choice,
    }
    return page.mutate('approvals.decide', { authorization_id: id, decision: 'approve', shown })
  }
  return { page, agent, open, press }
}

test('B13 the approve page proposes twice the amount, and another amount counts when it is chosen', async () => {
  const { page, agent, open, press } = await atThePage()
  await ask(agent, 1_460)
  const { authorization_id: id, ask_above_minor: proposed } = await open()
  expect(proposed).toBe(2_920)
  expect((await press({ ask_above_minor: 1_500 })).status).toBe(200)
  expect(await ask(agent, 1_500)).toBe(false)
  expect(await ask(agent, 1_501)).toBe(true)
  const [evidence] = await app.platform.db.query<{ display: Record<string, unknown> }>(
    sql`SELECT display FROM approval_evidence WHERE authorization_id = ${id}`,
  )
  expect(evidence?.display).toMatchObject({ amount_minor: 1_460, ask_above_minor: 1_500 })
  const shop = { merchant_name: 'Tallow Books', up_to_minor: 1_500, currency: 'EUR' }
  const view = dataOf(await page.query('agents.one', { client_id: agent.clientId }))
  expect(view['remembered_merchants']).toMatchObject([shop])
  const { unlisted } = dataOf<{ unlisted: { agent_client_id: string }[] }>(await page.query('merchants.read'))
  expect(unlisted.find(({ agent_client_id: owner }) => owner === agent.clientId)).toMatchObject(shop)
})

test('B13 a person who chooses every purchase is asked each time, also after a remembered approval', async () => {
  const { agent, press } = await atThePage()
  await ask(agent, 500)
  await press({})
  expect(await ask(agent, 1_000)).toBe(false)
  expect(await ask(agent, 1_100)).toBe(true)
  expect((await press({ ask_above_minor: 0 })).status).toBe(200)
  expect(await ask(agent, 1)).toBe(true)
})

const forgetShop = (page: Browser, { clientId }: Agent) =>
  page.mutate('agents.forgetMerchant', {
    client_id: clientId,
    merchant_audience: `${app.baseUrl}/sandbox/merchants/tallow-books`,
  })

test('B13 forgetting a merchant ends what the agent has begun there unasked, and leaves what was approved or paid', async () => {
  const { page, agent, press } = await atThePage()
  const forget = () => forgetShop(page, agent)
  const begin = async (minor: number) => {
    const { form, verifier } = await agent.purchase({ amount_minor: minor })
    const { request_uri: requestUri } = must(await agent.push(form), 201)
    const authorize = async () => (await agent.authorize(requestUri)).result['code'] ?? ''
    return { requestUri, authorize, redeem: async () => agent.redeem(await authorize(), verifier), verifier }
  }
  const first = await begin(500)
  await press({})
  const [pushed, coded, paid, issued] = [await begin(100), await begin(101), await begin(102), await begin(103)]
  const asked = await begin(1_001)
  await press({ ask_above_minor: 1_100 })
  const code = await coded.authorize()
  const tokens = must(await issued.redeem(), 200)
  const settle = (one: typeof tokens, key: string) =>
    agent.settle(one.access_token, one.mandate_jwt, `${key}-${agent.clientId}`)
  const done = must(await paid.redeem(), 200)
  const receipt = must(await settle(done, 'paid'), 200)

  expect((await forget()).status).toBe(200)
  expect((await agent.authorize(pushed.requestUri)).json).toMatchObject({ error: 'invalid_request_uri' })
  expect((await agent.redeem(code, coded.verifier)).json).toMatchObject({ error: 'invalid_grant' })
  expect((await settle(tokens, 'issued')).status).toBe(401)
  expect(must(await settle(done, 'paid'), 200)).toEqual(receipt)
  for (const [approved, key] of [
    [first, 'first'],
    [asked, 'asked'],
  ] as const) {
    must(await settle(must(await approved.redeem(), 200), key), 200)
  }
  expect(await ask(agent, 100)).toBe(true)
  expect(refusalOf(await forget())).toMatchObject({ error: 'not_found' })
})

test('B13 a request that crossed the forgetting of its merchant gives no tokens', async () => {
  const { page, agent, press } = await atThePage()
  await ask(agent, 500)
  await press({})
  const { form, verifier } = await agent.purchase({ amount_minor: 100 })
  const { request_uri: requestUri } = must(await agent.push(form), 201)
  const [kept] = await app.platform.db.query<{ row: string }>(
    sql`SELECT to_json(r)::text AS row FROM pushed_requests r WHERE client_id = ${agent.clientId} AND decision = 'approved'`,
  )
  expect((await forgetShop(page, agent)).status).toBe(200)
  await app.platform.db.query(
    sql`INSERT INTO pushed_requests SELECT (json_populate_record(NULL::pushed_requests, ${kept?.row ?? ''}::json)).*`,
  )
  const { result } = await agent.authorize(requestUri)
  expect(result).toHaveProperty('code')
  const redeem = async () => {
    const { status, json } = await agent.redeem(result['code'] ?? '', verifier)
    return [status, json]
  }
  const refusal = [
    400,
    { error: 'invalid_grant', error_description: 'The person wants to be asked about this merchant again.' },
  ]
  expect(await redeem()).toMatchObject(refusal)
  await page.mutate('limits.saveApprovalRule', { approval_rule: 'every_purchase' })
  expect(await redeem()).toMatchObject(refusal)
})

test('B13 amounts that are none are refused and nothing is decided', async () => {
  const { agent, open, press } = await atThePage()
  await ask(agent, 500)
  for (const ask_above_minor of [-1, 1.5, 1_000_000_000_001]) {
    expect((await press({ ask_above_minor })).status).toBe(400)
  }
  expect((await open()).status).toBe('pending')
})

test('B13 a purchase that was approved with a choice is settled', async () => {
  const { agent, press } = await atThePage()
  const { form, verifier } = await agent.purchase({ amount_minor: 700 })
  const pushed = await agent.push(form)
  await press({ ask_above_minor: 900 })
  const { result } = await agent.authorize(pushed.json.request_uri)
  const { json: tokens } = await agent.redeem(result['code'] ?? '', verifier)
  const settled = await agent.settle(tokens.access_token, tokens.mandate_jwt, `chosen-${agent.clientId}`)
  expect(settled.status, settled.text).toBe(200)
})

test('B13 the page has nothing to choose where the rule asks about every purchase', async () => {
  const { page, agent, open } = await atThePage()
  await page.mutate('limits.saveApprovalRule', { approval_rule: 'every_purchase' })
  await ask(agent, 500)
  expect((await open()).ask_above_minor).toBeNull()
})

test('B13 the upgrade keeps what approvals tell, up to twice the highest amount, and forgets the rest', async () => {
  const db = await openBefore('20261126050000_remembered_amounts')
  await db.session((session) =>
    session.script(`
      INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
        VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
      INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());
      INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
        SELECT id, 'agent', 'tenant', 'ada', id, '[]', '[]', '[]', '[]', '{}', now() FROM unnest(ARRAY['agent', 'other']) id;
      INSERT INTO consents (authorization_id, approval_handle, principal_id, client_id, kind, consent_mode, match_code,
                            merchant_audience, merchant_name, amount_minor, currency, scope, first_purchase_at_merchant,
                            status, created_at, expires_at, decided_at)
        SELECT n, n, 'ada', client, 'payment', 'dashboard', '00', 'https://a.example', 'A', minor, currency, '[]', false,
               status, now(), now(), now() - age * interval '1 day'
          FROM (VALUES ('1', 'agent', 1200, 'EUR', 'approved', 3), ('2', 'agent', 700, 'EUR', 'approved', 1),
                       ('3', 'agent', 9000, 'EUR', 'declined', 0), ('4', 'agent', 9000, 'USD', 'approved', 2),
                       ('5', 'other', 9000, 'EUR', 'declined', 1)) c (n, client, minor, currency, status, age);
      INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at) VALUES
        ('ada', 'agent', 'merchant:https://a.example', now()), ('ada', 'other', 'merchant:https://a.example', now()),
        ('ada', 'agent', 'merchant:https://b.example', now()), ('ada', 'agent', 'wallet:wallet:read', now());`),
  )
  await migrate(db, migrationsDirectory())
  expect(
    await db.query(
      sql`SELECT client_id, subject, up_to_minor, currency, merchant_name FROM remembered_approvals ORDER BY subject`,
    ),
  ).toEqual([
    {
      client_id: 'agent',
      subject: 'merchant:https://a.example',
      up_to_minor: 2_400,
      currency: 'EUR',
      merchant_name: 'A',
    },
    { client_id: 'agent', subject: 'wallet:wallet:read', up_to_minor: null, currency: null, merchant_name: null },
  ])
})

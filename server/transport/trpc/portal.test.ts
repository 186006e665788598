import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Browser, dataOf, insertBump, insertConsent, refusalOf } from '@/test/support/browser'
import { MERCHANT, type Person } from '@/test/support/money-fixture'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'
import { PERSON_HEADER } from '../../base/contract/request-headers'
import { sql } from '../../base/core/sql'
import { installPlatform } from '../../base/platform/container'
import { PORTAL_TENANT_ID } from '../../shared/principals'

let fixture: PortalFixture
let ada: Person
let eve: Person
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  ;({ ada, eve } = fixture)
})
beforeEach(async () => {
  page = await fixture.openPage()
})
afterAll(() => fixture.close())

const pay = async (person: Person, amountMinor = 1_000) => {
  const answer = await fixture.settle(await fixture.mandate(person, { amountMinor }))
  return JSON.parse(answer.body) as { payment_intent_id: string; mandate_id: string }
}

describe('without a session', () => {
  test('a request without a session is not answered', async () => {
    const stranger = new Browser(fixture.platform)
    for (const procedure of ['session.me', 'home.overview', 'approvals.pending', 'payments.list', 'activity.list']) {
      const reply = await stranger.query(procedure)
      expect([procedure, reply.status]).toEqual([procedure, 401])
      expect(refusalOf(reply)).toMatchObject({ code: 'UNAUTHORIZED', error: 'invalid_token' })
    }
    const decision = await stranger.mutate('approvals.decide', { authorization_id: 'x', decision: 'approve' })
    expect(decision.status).toBe(401)
    const link = await stranger.query('session.changes')
    expect([link.status, link.json['error']]).toEqual([401, 'invalid_token'])
  })

  test('a request with a revoked session is not answered', async () => {
    expect((await page.query('session.me')).status).toBe(200)
    expect(dataOf(await page.mutate('session.signOutEverywhere'))).toMatchObject({ sessions_ended: expect.any(Number) })
    expect((await page.query('session.me')).status).toBe(401)
  })
})

describe('a page of another person than who is signed in', () => {
  test('a tab that slept while another person signed in reads and changes nothing as that person', async () => {
    const ofEve = { [PERSON_HEADER]: eve.principalId }
    const freeze = await page.mutate('limits.freeze', undefined, ofEve)
    expect(refusalOf(freeze)).toMatchObject({ code: 'UNAUTHORIZED', error: 'invalid_token' })
    for (const procedure of ['session.me', 'session.changes', 'approvals.pending']) {
      const reply = await page.send(`/api/trpc/${procedure}`, { headers: ofEve })
      expect([procedure, reply.status]).toEqual([procedure, 401])
    }
    const ofAda = { [PERSON_HEADER]: ada.principalId }
    const me = dataOf(await page.send('/api/trpc/session.me', { headers: ofAda }))
    expect(me).toMatchObject({ principal: { id: ada.principalId }, frozen_at: null })
  })
})

describe('a request that a foreign page makes the browser send', () => {
  test('a request that a foreign page makes the browser send is refused by where it comes from', async () => {
    const id = await insertConsent(fixture.platform, ada)
    const decision = { authorization_id: id, decision: 'approve' }
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]
    for (const headers of foreign) {
      const reply = await page.mutate('approvals.decide', decision, headers)
      expect([reply.status, reply.json['error']]).toEqual([403, 'forbidden'])
    }
    expect(dataOf(await page.query('approvals.one', { id }))).toMatchObject({ status: 'pending' })
  })

  test('a request that a foreign page makes the browser send is refused as a form, as text or by GET', async () => {
    const id = await insertConsent(fixture.platform, ada)
    const input = JSON.stringify({ authorization_id: id, decision: 'approve' })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
    ]) {
      const reply = await page.send('/api/trpc/approvals.decide', {
        method: 'POST',
        headers: { 'content-type': type },
        body: input,
      })
      expect([type, reply.status]).toEqual([type, 415])
    }
    const byGet = await page.send(`/api/trpc/approvals.decide?input=${encodeURIComponent(input)}`)
    expect(byGet.status).toBe(405)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await page.send('/api/trpc/approvals.decide', { method })).status).toBe(405)
    }
    expect(dataOf(await page.query('approvals.one', { id }))).toMatchObject({ status: 'pending' })
  })
})

describe('bounds', () => {
  test('a batch holds at most ten calls', async () => {
    const batch = (count: number) =>
      page.send(`/api/trpc/${Array(count).fill('session.me').join(',')}?batch=1&input=%7B%7D`)
    expect((await batch(10)).status).toBe(200)
    expect((await batch(11)).status).toBe(400)
  })

  test('a body holds at most 64 KiB', async () => {
    const reply = await page.mutate('agents.connect', { name: 'x'.repeat(65 * 1024), purpose: '', scope: '' })
    expect([reply.status, reply.json['error']]).toEqual([413, 'body_too_large'])
  })
})

describe('refusals', () => {
  test('refusals name the code, words for people and a request id', async () => {
    const reply = await page.query('agents.one', { client_id: 'unknown' })
    expect(reply.status).toBe(404)
    expect(refusalOf(reply)).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no such agent.',
      error: 'not_found',
      error_description: 'There is no such agent.',
      request_id: reply.headers.get('x-request-id'),
    })
  })

  test('refusals say what was wrong with the input, where', async () => {
    const reply = await page.mutate('limits.save', { daily_cap_minor: -1, currency: 'EUR' })
    expect(reply.status).toBe(400)
    expect(refusalOf(reply)).toMatchObject({ error: 'invalid_request', detail: [{ loc: ['body', 'daily_cap_minor'] }] })
    const unknown = await page.mutate('limits.save', { daily_cap_minor: 1, currency: 'EUR', surprise: 1 })
    expect(unknown.status).toBe(400)
    expect((await page.mutate('approvals.decide', { authorization_id: 'x', decision: 'maybe' })).status).toBe(400)
    expect((await page.query('payments.list', { status: 'lost' })).status).toBe(400)
    expect((await page.query('payments.list', { cursor: 'bm9wZQ' })).status).toBe(400)
  })

  test('refusals show nothing of a fault of ours, and it is logged', async () => {
    const logged: string[] = []
    const log = { ...fixture.platform.log, error: (message: string) => void logged.push(message) }
    const broken = { list: () => Promise.reject(new Error('x')), set: () => Promise.reject(new Error('x')) }
    const switches = { ...broken, isOn: () => Promise.reject(new Error('secret detail')) }
    installPlatform({ ...fixture.platform, log, switches })
    const reply = await page.query('session.me')
    installPlatform(fixture.platform)
    expect(reply.status).toBe(500)
    expect(reply.text).not.toContain('secret')
    expect(reply.text).not.toContain('stack')
    expect(refusalOf(reply)).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', error: 'server_error' })
    expect(logged).toEqual(['portal request failed'])
  })

  test('refusals use the words of HTTP while a switch is off', async () => {
    const id = await insertConsent(fixture.platform, ada)
    const { switches } = fixture.platform
    const off = { ...fixture.platform, switches: { ...switches, isOn: () => Promise.resolve(false) } }
    installPlatform({
      ...off,
      switches: { isOn: () => Promise.resolve(false), list: () => switches.list(), set: () => Promise.resolve() },
    })
    const replies = [
      await page.mutate('approvals.decide', { authorization_id: id, decision: 'approve' }),
      await page.mutate('cards.enrolTestCard', { number: '4242424242424242' }),
    ]
    const home = await page.query('home.overview')
    installPlatform(fixture.platform)
    for (const reply of replies) {
      expect(reply.status).toBe(503)
      expect(refusalOf(reply)).toMatchObject({ error: 'service_unavailable', message: 'This feature is switched off.' })
    }
    expect(dataOf(home)['pending']).toContainEqual(expect.objectContaining({ authorization_id: id }))
  })
})

describe("another person's things", () => {
  test("another person's things look exactly like unknown ones, and stay as they are", async () => {
    const consent = await insertConsent(fixture.platform, eve)
    const { payment_intent_id: payment } = await pay(eve)
    const eveCard = (
      await fixture.platform.db.query<{ id: string }>(
        sql`SELECT id FROM card_mandates WHERE principal_id = ${eve.principalId}`,
      )
    )[0]?.id
    const token = await newSetupToken(eve)
    const attempts: [string, string, (id: string) => unknown, string][] = [
      ['query', 'approvals.one', (id) => ({ id }), consent],
      ['mutate', 'approvals.decide', (id) => ({ authorization_id: id, decision: 'approve' }), consent],
      ['query', 'agents.one', (id) => ({ client_id: id }), eve.agentId],
      ['mutate', 'agents.revoke', (id) => ({ client_id: id }), eve.agentId],
      ['mutate', 'agents.forgetMerchant', (id) => ({ client_id: id, merchant_audience: MERCHANT }), eve.agentId],
      ['query', 'agents.limits', (id) => ({ client_id: id }), eve.agentId],
      ['mutate', 'agents.saveLimits', (id) => ({ client_id: id }), eve.agentId],
      ['mutate', 'agents.endAccess', (id) => ({ client_id: id, scope: 'wallet:read' }), eve.agentId],
      ['query', 'agents.setupToken', (id) => ({ id }), token],
      ['mutate', 'agents.cancelSetupToken', (id) => ({ id }), token],
      ['query', 'payments.one', (id) => ({ id }), payment],
      ['query', 'payments.prove', (id) => ({ id }), payment],
      ['query', 'payments.verifyReceipt', (id) => ({ id }), payment],
      ['mutate', 'cards.makeDefault', (id) => ({ card_id: id }), String(eveCard)],
      ['mutate', 'cards.remove', (id) => ({ card_id: id }), String(eveCard)],
      ['mutate', 'limits.approveBump', (id) => ({ bump_id: id }), await newBump(eve)],
    ]
    for (const [kind, procedure, input, id] of attempts) {
      const send = (given: string) =>
        kind === 'query' ? page.query(procedure, input(given)) : page.mutate(procedure, input(given))
      const [foreign, unknown] = [await send(id), await send('unknown')]
      expect([procedure, foreign.status]).toEqual([procedure, 404])
      expect({ ...refusalOf(foreign), request_id: null }).toEqual({ ...refusalOf(unknown), request_id: null })
    }
    expect(dataOf(await page.query('payments.list', { agent: eve.agentId }))).toMatchObject({
      payments: [],
      totals: [],
    })
    expect(await fixture.count('clients', sql`id = ${eve.agentId} AND revoked_at IS NULL`)).toBe(1)
    expect(await fixture.count('consents', sql`authorization_id = ${consent} AND status = 'pending'`)).toBe(1)
  })

  const newSetupToken = async (person: Person) => {
    const id = fixture.platform.random.uuid()
    await fixture.platform.db.query(
      sql`INSERT INTO setup_tokens (token_hash, id, principal_id, tenant_id, created_at, expires_at) VALUES (${id}, ${id}, ${person.principalId}, ${PORTAL_TENANT_ID}, ${fixture.clock.now()}, ${fixture.clock.now()})`,
    )
    return id
  }
  const newBump = (person: Person) => insertBump(fixture.platform, person)
})

describe('the pages', () => {
  test('session and home say who is there and what is left to do', async () => {
    expect(dataOf(await page.query('session.me'))).toEqual({
      principal: { id: ada.principalId, display_name: null, email: 'ada@demo.test', approval_rule: 'new_merchants' },
      sandbox: 'local',
      phone_messages: true,
      switches: { consent_scan: true, settlement: true, card_enrolment: true },
      base_url: fixture.platform.config.baseUrl,
      passkeys: { available: true, count: 0, required: false },
      frozen_at: null,
      processing_restricted: false,
    })
    await page.mutate('limits.save', { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' })
    await pay(ada, 1_500)
    expect(dataOf(await page.query('home.overview'))).toMatchObject({
      spend: [{ currency: 'EUR', spent_minor: 1_500, reserved_minor: 0, daily_cap_minor: 5_000 }],
      recent_payments: [{ amount_minor: 1_500, agent_label: 'Claude on my laptop', merchant_name: 'Tallow Books' }],
      longer_spend: [],
      agents: 1,
      paused_agents: 0,
      setup: { steps: { passkey: false, card: true, limits: true, agent: true }, begun: true },
    })
  })

  test('the approve page shows what approving would use up, by id and by handle', async () => {
    const id = await insertConsent(fixture.platform, ada)
    const expected = {
      authorization_id: id,
      status: 'pending',
      match_code: '47',
      merchant_verified: true,
      default_card: { brand: 'visa', last4: '4242' },
      effect: {
        limit_currency: 'EUR',
        left_before_minor: 3_500,
        left_after_minor: 2_300,
        refused_currency: false,
      },
      payment: null,
      settlement_status: 'none',
      total_matches: true,
    }
    expect(dataOf(await page.query('approvals.one', { id }))).toMatchObject(expected)
    expect(dataOf(await page.query('approvals.one', { id: `handle-${id}` }))).toMatchObject(expected)
    const lineItems = [{ sku: 'book', qty: 1, unit_price_minor: 4_001 }]
    const dear = await insertConsent(fixture.platform, ada, { amountMinor: 4_000, lineItems })
    expect(dataOf(await page.query('approvals.one', { id: dear }))).toMatchObject({
      effect: { left_after_minor: 0 },
      total_matches: false,
    })
    const foreign = await insertConsent(fixture.platform, ada, { currency: 'JPY' })
    expect(dataOf(await page.query('approvals.one', { id: foreign }))).toMatchObject({
      effect: { refused_currency: true, left_before_minor: null },
    })
    const listed = dataOf<{ pending: { authorization_id: string }[] }>(await page.query('approvals.pending'))
    expect(listed.pending.map((consent) => consent.authorization_id)).toContain(dear)
    expect((await page.approve(id)).status).toBe(200)
    expect((await page.mutate('approvals.decide', { authorization_id: id, decision: 'decline' })).status).toBe(409)
    expect(dataOf(await page.query('approvals.past'))).toMatchObject({
      past: [{ authorization_id: id, status: 'approved' }],
      more: false,
    })
  })

  test('all that one agent asks is declined with one press, and what was decided before stays as it is', async () => {
    const ids = await Promise.all(
      [1_100, 1_200, 1_300].map((amountMinor) => insertConsent(fixture.platform, ada, { amountMinor })),
    )
    const [approved = '', ...others] = ids
    expect((await page.approve(approved)).status).toBe(200)
    const unknown = crypto.randomUUID()
    const asked = { authorization_ids: [...ids, ...others, unknown] }
    expect(dataOf(await page.mutate('approvals.declineAll', asked))).toEqual({ declined: others })
    expect(dataOf(await page.query('approvals.one', { id: approved }))).toMatchObject({ status: 'approved' })
    for (const id of others) {
      expect(dataOf(await page.query('approvals.one', { id }))).toMatchObject({
        status: 'declined',
        decided_via: 'portal',
      })
    }
    expect(dataOf(await page.mutate('approvals.declineAll', asked))).toEqual({ declined: others })
    expect((await page.mutate('approvals.declineAll', { authorization_ids: [] })).status).toBe(400)
  })

  test('a payment shows its way and its proofs, a list goes on where it stopped', async () => {
    const paid = await pay(ada, 700)
    const bought = [{ sku: 'left-hand', qty: 1, unit_price_minor: 700 }]
    await fixture.platform.db.query(
      sql`UPDATE token_families SET authorization_details = ${JSON.stringify([{ line_items: bought }])}::jsonb WHERE id = (SELECT family_id FROM mandates WHERE id = ${paid.mandate_id})`,
    )
    const detail = dataOf(await page.query('payments.one', { id: paid.payment_intent_id }))
    expect(detail).toMatchObject({
      line_items: bought,
      payment: { payment_intent_id: paid.payment_intent_id, amount_minor: 700, status: 'succeeded' },
      mandate_id: paid.mandate_id,
      agent: { client_id: ada.agentId, revoked: false },
      merchant: { audience: MERCHANT, name: 'Tallow Books', verified: true },
      card: { brand: 'visa', last4: '4242' },
      rule: { kind: 'remembered_merchant' },
      audit_seqs: [expect.any(Number)],
    })
    await fixture.platform.db.query(
      sql`UPDATE merchants SET federation_entity_id = 'https://unvouched.example' WHERE merchant_audience = ${MERCHANT}`,
    )
    expect(dataOf(await page.query('payments.one', { id: paid.payment_intent_id }))).toMatchObject({
      merchant: { verified: false },
    })
    await fixture.platform.db.query(
      sql`UPDATE merchants SET federation_entity_id = NULL WHERE merchant_audience = ${MERCHANT}`,
    )
    const timeline = detail['timeline'] as { what: string }[]
    expect(timeline.map(({ what }) => what)).toEqual(['paid', 'receipt'])
    await fixture.platform.db.query(
      sql`UPDATE wallet_limits SET daily_cap_minor = NULL WHERE principal_id = ${ada.principalId}`,
    )
    for (let count = 0; count < 51; count += 1) {
      fixture.clock.advance(1)
      await pay(ada, 10)
    }
    type Listed = { payments: { payment_intent_id: string }[]; totals: unknown; next_cursor: string | null }
    const first = dataOf<Listed>(await page.query('payments.list', {}))
    const second = dataOf<Listed>(await page.query('payments.list', { cursor: first.next_cursor }))
    expect([first.payments.length, second.next_cursor]).toEqual([50, null])
    const ids = [...first.payments, ...second.payments].map((payment) => payment.payment_intent_id)
    expect(new Set(ids).size).toBe(53)
    expect(first.totals).toEqual([{ currency: 'EUR', amount_minor: 1_500 + 700 + 510, count: 53 }])
    expect(dataOf(await page.query('payments.list', { status: 'disputed_lost' }))).toMatchObject({ payments: [] })
  })

  test('a preview of limits lists the past payments that would have needed an approval', async () => {
    const count = async (cap: number, currency = 'EUR') =>
      dataOf(await page.query('limits.askedCount', { single_txn_cap_minor: cap, currency }))
    await page.mutate('limits.save', {
      single_txn_cap_minor: 2_000,
      currency: 'EUR',
      velocity_count: 100,
      velocity_window_seconds: 60,
    })
    expect(await count(1_500)).toMatchObject({ payments: 53, asked: 0, refused: 0 })
    expect(await count(1_499)).toMatchObject({ asked: 1, asked_about: [{ amount_minor: 1_500, currency: 'EUR' }] })
    expect(await count(1, 'JPY')).toMatchObject({ refused: 53 })
    await page.mutate('limits.saveApprovalRule', { approval_rule: 'every_purchase' })
    expect(dataOf(await page.query('limits.read'))).toMatchObject({
      limits: { single_txn_cap_minor: 2_000 },
      usage: { currency: 'EUR', used_today_minor: expect.any(Number), resets_at: '2026-11-22T00:00:00.000Z' },
      approval_rule: 'every_purchase',
      currencies: ['EUR'],
    })
    expect(dataOf(await page.query('limits.bumps'))).toEqual({ limit_bumps: [] })
  })

  test('an agent is connected with a token that is shown once and can be taken back', async () => {
    const plan = { name: 'Claude Code on ada-mbp', purpose: 'Research', scope: 'oid4ac:payment payment:execute' }
    const made = dataOf<Record<string, string>>(await page.mutate('agents.connect', plan))
    expect(made['qr_payload']).toContain(made['setup_token'])
    const program = path.resolve('tool-server/dist/bin.js')
    expect(made['program']).toEqual(['node', program])
    expect(made['command']).toContain(`node ${program} register --setup-token`)
    expect(made['command']).toContain(`--as-url ${fixture.platform.config.baseUrl}`)
    expect(made['qr_svg']).toMatch(/^<svg /)
    const id = made['id']
    expect(dataOf(await page.query('agents.setupToken', { id }))).toMatchObject({
      id,
      status: 'waiting',
      client_id: null,
    })
    expect(dataOf(await page.query('agents.list'))['setup_tokens']).toEqual([
      { id, name: plan.name, created_at: expect.any(String), expires_at: made['expires_at'] },
    ])
    expect(dataOf(await page.mutate('agents.cancelSetupToken', { id }))).toMatchObject({ status: 'cancelled' })
    expect(dataOf(await page.query('agents.list'))).toMatchObject({ setup_tokens: [] })
    expect((await page.mutate('agents.connect', { ...plan, name: 'a\u202eb' })).status).toBe(400)
    expect((await page.mutate('agents.connect', { ...plan, scope: 'root' })).status).toBe(400)
  })

  test("an agent's page adds up what it holds, and revoking empties it", async () => {
    const agent = { client_id: ada.agentId }
    const before = dataOf(await page.query('agents.one', agent))
    expect(before).toMatchObject({
      label: 'Claude on my laptop',
      spent_this_month: [{ currency: 'EUR', amount_minor: expect.any(Number) }],
      approval_rule: 'every_purchase',
      remembered_merchants: [{ merchant_audience: MERCHANT, merchant_name: 'Tallow Books' }],
    })
    expect(before['active_families']).toBeGreaterThan(0)
    expect((await page.mutate('agents.forgetMerchant', { ...agent, merchant_audience: MERCHANT })).status).toBe(200)
    expect(dataOf(await page.mutate('agents.revoke', agent))).toMatchObject({
      ok: true,
      families_revoked: before['active_families'],
    })
    const after = dataOf(await page.query('agents.one', agent))
    expect(after).toMatchObject({ revoked: true, active_families: 0, remembered_merchants: [] })
    expect(dataOf(await page.query('agents.list'))).toMatchObject({ agents: [{ revoked: true }] })
  })

  test('a test card goes the way of a real one, and real ones are not taken', async () => {
    const cards = dataOf<{ number: string }[]>(await page.query('cards.testCards'))
    expect(cards.length).toBeGreaterThan(4)
    expect(dataOf(await page.mutate('cards.enrolTestCard', { number: '4000 0000 0000 0002' }))).toMatchObject({
      status: 'succeeded',
      reconciled: true,
    })
    expect((await page.mutate('cards.enrolTestCard', { number: '4111111111111111' })).status).toBe(400)
    const list = dataOf<{ cards: { id: string; last4: string; is_default: boolean }[] }>(await page.query('cards.list'))
    const added = list.cards.find(({ last4 }) => last4 === '0002')
    expect((await page.mutate('cards.makeDefault', { card_id: added?.id })).status).toBe(200)
    expect((await page.mutate('cards.remove', { card_id: added?.id })).status).toBe(200)
    expect(dataOf(await page.query('cards.list'))).toMatchObject({ cards: [{ last4: '4242', is_default: false }] })
  })
})

describe('the change stream', () => {
  /** Reads events until `count` of them have had a revision. */
  async function* revisions(response: Response) {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) yield event
    }
  }
  const next = async (events: AsyncGenerator<string>, wanted: string) => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) return null
      if (value.includes(wanted)) return value
    }
  }

  test('the change stream tells the revision at once, then changes, and ends with the session', async () => {
    const end = new AbortController()
    const response = await page.open('/api/trpc/session.changes', { signal: end.signal })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = revisions(response)
    const first = await next(events, '"revision"')
    expect(first).toMatch(/id: [0-9a-f]{32}/)
    // Written without a notice to the cache, as by another process.
    await insertConsent(fixture.platform, eve)
    await insertConsent(fixture.platform, ada)
    const second = await next(events, '"revision"')
    expect(second).not.toBe(first)
    await page.mutate('session.signOutEverywhere')
    expect(await next(events, 'UNAUTHORIZED')).toContain('serialized-error')
    end.abort()
  })
})

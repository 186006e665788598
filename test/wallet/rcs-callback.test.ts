import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, type Answer, countStatuses, exchange, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { timedSignature } from '../support/timed-signature'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const URL_PATH = '/oauth/rcs/limit-bump/callback'
const DAY_SECONDS = 86_400

interface Bump {
  readonly bumpId: string
  readonly token: string
  readonly person: Person
  readonly settle: (key?: string) => Promise<Answer>
  /** Another mandate of the same agent at the same merchant, from before the limit. */
  readonly settleOther: () => Promise<Answer>
}

let people = 0

/** A payment above a limit, of a person who is told through RCS. */
async function exceeded(): Promise<Bump> {
  const phone = `+35385${String(1_000_000 + ++people)}`
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits', rcs_phone_e164: phone })
  const person = await Person.signIn(app, principalId)
  const agent = await Agent.register(app, principalId)
  const bought = await agent.buy()
  const other = await agent.buy()
  await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
  const settle = (key: string = randomUUID()) => agent.settle(bought.access_token, bought.mandate_jwt, key)
  const refused = await settle()
  expect([refused.status, refused.json['error']]).toEqual([403, 'limit_exceeded'])
  const data = await dataOf(phone)
  expect(Object.keys(data)).toEqual(['bump_id', 'token'])
  expect(data['bump_id']).toBe(refused.json['bump_id'])
  return {
    bumpId: data['bump_id'] ?? '',
    token: data['token'] ?? '',
    person,
    settle,
    settleOther: () => agent.settle(other.access_token, other.mandate_jwt, randomUUID()),
  }
}

async function dataOf(phone: string): Promise<Record<string, string>> {
  const { json } = await exchange<{ messages: { to: string; data?: Record<string, string> }[] }>(
    `${app.baseUrl}/sandbox/outbox`,
    { headers: { accept: 'application/json' } },
  )
  const messages = json.messages.filter(({ to }) => to === phone)
  expect(messages).toHaveLength(1)
  return messages[0]?.data ?? {}
}

const answerOf = ({ bumpId, token }: Pick<Bump, 'bumpId' | 'token'>, action: string) =>
  JSON.stringify({ bump_id: bumpId, action, token })

function sign(body: string | Buffer, { shift = 0, secret = app.platform.config.secrets.rcsCallback } = {}): string {
  return timedSignature(body, { secret, now: new Date(app.clock.now().getTime() + shift * 1000) })
}

const post = (body: string | Buffer, headers: Record<string, string> = { 'rcs-signature': sign(body) }) =>
  exchange(app.baseUrl + URL_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  })

const press = (bump: Pick<Bump, 'bumpId' | 'token'>, action: 'approve' | 'decline') => post(answerOf(bump, action))
const waiting = async ({ person }: Bump) =>
  (await person.call<{ limit_bumps: { id: string }[] }>('GET', '/wallet/limit-bumps')).json.limit_bumps

describe('the signature', () => {
  let bump: Bump
  beforeAll(async () => {
    bump = await exceeded()
  })

  test.each<[string, (body: string) => Record<string, string>]>([
    ['missing', () => ({})],
    ['empty', () => ({ 'rcs-signature': '' })],
    ['no signature at all', () => ({ 'rcs-signature': 'nonsense' })],
    ['another secret', (body) => ({ 'rcs-signature': sign(body, { secret: 'guess' }) })],
    [
      "the card processor's secret",
      (body) => ({ 'rcs-signature': sign(body, { secret: app.platform.config.secrets.processorWebhook }) }),
    ],
    ['another body', (body) => ({ 'rcs-signature': sign(body.replace('approve', 'decline')) })],
    ['the body with other white space', (body) => ({ 'rcs-signature': sign(`${body}\n`) })],
    [
      'another time',
      (body) => ({ 'rcs-signature': sign(body).replace(/t=\d+/, `t=${Math.floor(Date.now() / 1e3) + 9}`) }),
    ],
    ['no time', (body) => ({ 'rcs-signature': sign(body).replace(/t=\d+,/, '') })],
    ['too old', (body) => ({ 'rcs-signature': sign(body, { shift: -302 }) })],
    ['too far ahead', (body) => ({ 'rcs-signature': sign(body, { shift: 302 }) })],
    ['in another header', (body) => ({ 'processor-signature': sign(body) })],
  ])('a callback with %s is 400 and decides nothing', async (_name, headers) => {
    const body = answerOf(bump, 'approve')
    const answer = await post(body, headers(body))
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_signature'])
    expect(await waiting(bump)).toMatchObject([{ id: bump.bumpId, status: 'pending' }])
  })

  test('the signature of a callback expires after 300 s', async () => {
    const late = await exceeded()
    const body = answerOf(late, 'decline')
    const headers = { 'rcs-signature': sign(body) }
    app.clock.advance({ seconds: 302 })
    expect((await post(body, headers)).json['error']).toBe('invalid_signature')
    expect((await post(body, { 'rcs-signature': sign(body, { shift: -298 }) })).status).toBe(200)
  })
})

describe('what is no answer', () => {
  const good = { bump_id: 'x', action: 'approve', token: 'y' }
  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{',
    JSON.stringify({ ...good, action: 'approved' }),
    JSON.stringify({ ...good, action: ['approve'] }),
    JSON.stringify({ ...good, bump_id: 1 }),
    JSON.stringify({ ...good, bump_id: 'a\u0000b' }),
    JSON.stringify({ ...good, token: '' }),
    JSON.stringify({ ...good, token: null }),
  ])('a signed body that is no decision is 400: %j', async (body) => {
    const answer = await post(body)
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('bytes that are no UTF-8 are 400, since no signature can cover them', async () => {
    const answer = await post(Buffer.from([0x7b, 0xff, 0x7d]))
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_signature'])
  })

  test('unknown, foreign and altered tokens are 404 alike, and leave the limit request pending', async () => {
    const [bump, other] = [await exceeded(), await exceeded()]
    const guesses = [
      { bumpId: bump.bumpId, token: other.token },
      { bumpId: other.bumpId, token: bump.token },
      { bumpId: bump.bumpId, token: randomBytes(32).toString('base64url') },
      { bumpId: bump.bumpId, token: `${bump.token}A` },
      { bumpId: randomUUID(), token: bump.token },
    ]
    const answers = await Promise.all(guesses.map((guess) => press(guess, 'approve')))
    expect(answers.map(({ status, json }) => [status, json['error']])).toEqual(guesses.map(() => [404, 'not_found']))
    expect(new Set(answers.map(({ json }) => json['error_description'])).size).toBe(1)
    expect([await waiting(bump), await waiting(other)]).toMatchObject([
      [{ status: 'pending' }],
      [{ status: 'pending' }],
    ])
  })

  test('a callback with another method or an oversized body is refused', async () => {
    const get = await exchange(app.baseUrl + URL_PATH)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect((await post('x'.repeat(70_000))).status).toBe(413)
  })
})

describe('a decision', () => {
  test('an approved limit request lets the refused payment pass once, and the limits stay', async () => {
    const bump = await exceeded()
    const limits = (await bump.person.call('GET', '/wallet/limits')).json
    const answer = await press(bump, 'approve')
    expect([answer.status, answer.json]).toEqual([200, { status: 'approved' }])
    expect(await waiting(bump)).toEqual([])
    expect((await bump.settle()).json).toMatchObject({ status: 'succeeded', amount_minor: 1200 })
    expect((await bump.settleOther()).json['error']).toBe('limit_exceeded')
    expect((await bump.person.call('GET', '/wallet/limits')).json).toEqual(limits)
  })

  test('B11 an approval by message is one entry of the audit chain, a refusal is none', async () => {
    const [approved, declined] = [await exceeded(), await exceeded()]
    for (let repeat = 0; repeat < 2; repeat++) await press(approved, 'approve')
    await press(declined, 'decline')
    const entriesOf = async ({ person }: Bump) => {
      const path = '/wallet/audit-chain?event_types=oid4ac.limits.changed'
      const { json } = await person.call<{ entries: { payload: Record<string, unknown> }[] }>('GET', path)
      return json.entries.map(({ payload }) => payload).filter(({ what }) => what === 'limit_request')
    }
    expect(await entriesOf(approved)).toMatchObject([{ means: 'callback', bump_id: approved.bumpId }])
    expect(await entriesOf(declined)).toEqual([])
  })

  test('a declined limit request leaves the payment refused', async () => {
    const bump = await exceeded()
    expect((await press(bump, 'decline')).json).toEqual({ status: 'declined' })
    expect(await waiting(bump)).toEqual([])
    expect((await bump.settle()).json['error']).toBe('limit_exceeded')
  })

  test.each([
    ['approve', 'decline', 'approved'],
    ['decline', 'approve', 'declined'],
  ] as const)('after %s the token is consumed: a repeat is 404, and %s is 409', async (first, opposite, status) => {
    const bump = await exceeded()
    expect((await press(bump, first)).json).toEqual({ status })
    const again = await press(bump, first)
    expect([again.status, again.json['error']]).toEqual([404, 'not_found'])
    const other = await press(bump, opposite)
    expect([other.status, other.json['error']]).toEqual([409, 'conflict'])
    expect((await press(bump, first)).status).toBe(404)
  })

  test('a decided limit request with a foreign token is answered like an unknown one', async () => {
    const [bump, other] = [await exceeded(), await exceeded()]
    await press(bump, 'approve')
    for (const action of ['approve', 'decline'] as const) {
      expect((await press({ bumpId: bump.bumpId, token: other.token }, action)).status).toBe(404)
    }
  })

  test('a callback that is delivered twice decides once', async () => {
    const bump = await exceeded()
    const body = answerOf(bump, 'approve')
    const headers = { 'rcs-signature': sign(body) }
    expect([(await post(body, headers)).status, (await post(body, headers)).status]).toEqual([200, 404])
  })

  test('an earlier decision in the wallet stands', async () => {
    const bump = await exceeded()
    expect((await bump.person.call('POST', `/wallet/limit-bumps/${bump.bumpId}/decline`)).status).toBe(200)
    expect((await press(bump, 'approve')).status).toBe(409)
    expect((await press(bump, 'decline')).json).toEqual({ status: 'declined' })
    expect((await press(bump, 'decline')).status).toBe(404)
    expect((await bump.settle()).json['error']).toBe('limit_exceeded')
  })

  test('a decision by callback stands in the wallet', async () => {
    const bump = await exceeded()
    await press(bump, 'approve')
    const path = `/wallet/limit-bumps/${bump.bumpId}`
    const same = await bump.person.call('POST', `${path}/approve`)
    expect([same.status, same.json]).toMatchObject([200, { id: bump.bumpId, status: 'approved' }])
    expect((await bump.person.call('POST', `${path}/decline`)).status).toBe(409)
  })

  test('a limit request and its token expire after a day', async () => {
    const bump = await exceeded()
    app.clock.advance({ seconds: DAY_SECONDS + 1 })
    for (const action of ['approve', 'decline'] as const) {
      const answer = await press(bump, action)
      expect([answer.status, answer.json['error']]).toEqual([404, 'not_found'])
    }
  })

  test('a callback decides nothing for an erased person', async () => {
    const bump = await exceeded()
    await app.platform.db.query(sql`UPDATE principals SET erased = true WHERE id = ${bump.person.principalId}`)
    expect((await press(bump, 'approve')).status).toBe(404)
  })

  test('the token of a callback is stored as a hash', async () => {
    const bump = await exceeded()
    const rows = await app.platform.db.query<{ row: string }>(sql`SELECT to_jsonb(b)::text AS row FROM limit_bumps b`)
    const messages = await app.platform.db.query<{ row: string }>(sql`SELECT to_jsonb(m)::text AS row FROM messages m`)
    expect(Buffer.from(bump.token, 'base64url')).toHaveLength(32)
    expect([...rows, ...messages].filter(({ row }) => row.includes(bump.token))).toEqual([])
  })
})

describe('races', () => {
  test('of eight parallel callbacks one decides', async () => {
    const bump = await exceeded()
    const answers = await Promise.all(Array.from({ length: 8 }, () => press(bump, 'approve')))
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 7 })
    expect((await bump.settle()).status).toBe(200)
    expect((await bump.settleOther()).json['error']).toBe('limit_exceeded')
  })

  test('of opposite parallel callbacks one wins, and the money follows it', async () => {
    const bump = await exceeded()
    const actions = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? 'approve' : 'decline'))
    const answers = await Promise.all(actions.map((action) => press(bump, action)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 3, 409: 4 })
    const winner = answers.find(({ status }) => status === 200)?.json['status']
    expect((await bump.settle()).status).toBe(winner === 'approved' ? 200 : 403)
  })

  test('parallel decisions by callback and wallet agree on one, and grant once', async () => {
    const bump = await exceeded()
    const path = `/wallet/limit-bumps/${bump.bumpId}/approve`
    const [wallet, callbacks] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => bump.person.call('POST', path))),
      Promise.all(Array.from({ length: 4 }, () => press(bump, 'approve'))),
    ])
    expect(countStatuses(wallet)).toEqual({ 200: 4 })
    expect(countStatuses(callbacks)).toEqual({ 200: 1, 404: 3 })
    expect((await bump.settle()).status).toBe(200)
    expect((await bump.settleOther()).json['error']).toBe('limit_exceeded')
  })
})

describe('a person who requires passkeys', () => {
  test('a person who requires passkeys can decline by message, and cannot approve by it', async () => {
    const bump = await exceeded()
    await app.platform.db.query(
      sql`UPDATE principals SET passkey_required = true WHERE id = ${bump.person.principalId}`,
    )
    const refused = await press(bump, 'approve')
    expect([refused.status, refused.json['error']]).toEqual([403, 'step_up_required'])
    expect(await waiting(bump)).toMatchObject([{ id: bump.bumpId, status: 'pending' }])
    expect((await press({ ...bump, token: 'guess' }, 'approve')).status).toBe(404)
    const declined = await press(bump, 'decline')
    expect([declined.status, declined.json]).toEqual([200, { status: 'declined' }])
  })
})

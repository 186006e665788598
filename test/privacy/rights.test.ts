/** Decisions D49, D50, D52, D58, D60, D62 and A6: who may use a right, with what, how often, and what it changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, countStatuses, must, newPrincipal, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser } from '../support/browser'
import { setAuthentication } from '../support/wallet-token'
import { ask, goodBody, newPerson, outboxOf, rights, runJobs } from './requests'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const principalOf = async (principalId: string) => {
  const [row] = await app.platform.db.query<Record<string, unknown>>(
    sql`SELECT email, display_name, erased, processing_restricted, marketing_objected FROM principals WHERE id = ${principalId}`,
  )
  return row
}
const requestsOf = (principalId: string) =>
  app.platform.db.query<{ kind: string; result: string }>(
    sql`SELECT kind, result FROM privacy_requests WHERE principal_id = ${principalId} ORDER BY requested_at`,
  )
const eventsOf = async (principalId: string) => {
  const rows = await app.platform.db.query<{ event: string; payload: string; actor_kind: string; actor_id: string }>(
    sql`SELECT event, payload, actor_kind, actor_id FROM audit_entries WHERE principal_id = ${principalId}
        AND event LIKE 'oid4ac.privacy.%' ORDER BY seq`,
  )
  return rows.map(({ payload, ...row }) => ({ ...row, payload: JSON.parse(payload) as Record<string, unknown> }))
}

describe.each(rights)('POST /privacy/dsar/%s', (right) => {
  test('D49 is refused to an agent-only token with 401, to another scope with 403, and to nobody with 401', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const { access_token: agentOnly } = await (await Agent.register(app, principalId)).buy()
    const refused = await ask(app, agentOnly, right, goodBody(right))
    expect([refused.status, refused.json['error']]).toEqual([401, 'invalid_token'])
    const other = await Person.signIn(app, principalId, 'wallet:read wallet:write audit:read')
    const unscoped = await ask(app, other.token, right, goodBody(right))
    expect([unscoped.status, unscoped.json['error']]).toEqual([403, 'insufficient_scope'])
    expect(unscoped.headers.get('www-authenticate')).toContain('privacy:dsar')
    expect((await ask(app, 'nobody', right, goodBody(right))).status).toBe(401)
    expect(await requestsOf(principalId)).toEqual([])
    expect(await principalOf(principalId)).toMatchObject({ erased: false, processing_restricted: false })
  })

  test('D50 takes JSON alone and no other member, and changes and counts nothing else', async () => {
    const { principalId, person } = await newPerson(app)
    const before = await principalOf(principalId)
    for (const body of ['{"x":1}', '{"headers":1}', '{"hasMembers":false}', '{"principal_id":"p"}', '{']) {
      const refused = await ask(app, person.token, right, { body })
      expect([body, refused.status, refused.json['error']]).toEqual([body, 400, 'invalid_request'])
    }
    for (const body of ['[]', 'null']) {
      const refused = await ask(app, person.token, right, { body })
      expect([body, refused.status]).toEqual([body, right === 'rectification' ? 422 : 400])
    }
    const typed = await ask(app, person.token, right, { body: '{}', headers: { 'content-type': 'text/plain' } })
    expect([typed.status, typed.json['error']]).toEqual([415, 'unsupported_media_type'])
    expect(await principalOf(principalId)).toEqual(before)
    expect(await requestsOf(principalId)).toEqual([])
  })
})

test.each(rights.filter((right) => right !== 'rectification' && right !== 'erasure'))(
  'D50 %s takes no body and an empty object alike',
  async (right) => {
    const { person } = await newPerson(app)
    expect((await ask(app, person.token, right)).status).toBe(200)
    expect((await ask(app, person.token, right, { body: '{}' })).status).toBe(200)
  },
)

test.each(rights.filter((right) => right !== 'erasure'))(
  'D52 exactly ten %s a UTC day for one person, whatever comes at once, and Retry-After to midnight',
  async (right) => {
    const { principalId, person } = await newPerson(app)
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(app, person.token, right, goodBody(right))))
    expect(countStatuses(answers)).toEqual({ 200: 10, 429: 6 })
    const refused = answers.find(({ status }) => status === 429)
    const now = app.clock.now()
    const midnight = Math.ceil(
      (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000,
    )
    expect(refused?.json['error']).toBe('rate_limited')
    expect(Math.abs(Number(refused?.headers.get('retry-after')) - midnight)).toBeLessThanOrEqual(10)
    expect(await requestsOf(principalId)).toHaveLength(10)
    // Another right and another person are counted for themselves.
    const free = right === 'objection' ? 'portability' : 'objection'
    expect((await ask(app, person.token, free)).status).toBe(200)
    expect((await ask(app, (await newPerson(app)).person.token, right, goodBody(right))).status).toBe(200)
  },
)

test('D52 requests with tokens are counted apart from those in the portal, which stays open to the person', async () => {
  const { email, person } = await newPerson(app)
  for (let n = 0; n < 10; n += 1) must(await ask(app, person.token, 'restriction'), 200)
  expect((await ask(app, person.token, 'restriction')).status).toBe(429)
  const browser = new Browser(app.platform)
  await browser.signInByMail(email)
  const inPortal: number[] = []
  for (let n = 0; n < 11; n += 1) inPortal.push((await browser.mutate('privacy.restrict', {})).status)
  expect(inPortal).toEqual([...Array.from({ length: 10 }, () => 200), 429])
})

test('D52 the next UTC day counts from none again', async () => {
  const home = await newPerson(app)
  for (let n = 0; n < 10; n += 1) must(await ask(app, home.person.token, 'objection'), 200)
  const refused = await ask(app, home.person.token, 'objection')
  const seconds = Number(refused.headers.get('retry-after'))
  app.clock.advance({ seconds })
  const tomorrow = await Person.signIn(app, home.principalId, 'privacy:dsar')
  expect((await ask(app, tomorrow.token, 'objection')).status).toBe(200)
})

describe('rectification', () => {
  const rectify = (token: string, body: unknown) =>
    ask<{ fields: string[]; pending: string[]; detail: { loc: string[] }[]; error: string }>(
      app,
      token,
      'rectification',
      {
        body: JSON.stringify(body),
      },
    )

  test('D58 changes the name at once, trimmed, and null removes it', async () => {
    const { principalId, person } = await newPerson(app)
    const long = '𝔸'.repeat(100)
    for (const [sent, stored] of [
      ['  Ada King  ', 'Ada King'],
      [long, long],
      [null, null],
    ]) {
      const answer = await rectify(person.token, { display_name: sent })
      expect([answer.status, answer.json]).toEqual([
        200,
        { status: 'rectified', fields: ['display_name'], pending: [] },
      ])
      expect(await principalOf(principalId)).toMatchObject({ display_name: stored })
    }
  })

  test('D58 needs a member: without one, and without a body, it is 400', async () => {
    const { person } = await newPerson(app)
    for (const request of [{}, { body: '{}' }]) {
      const refused = await ask(app, person.token, 'rectification', request)
      expect([request, refused.status, refused.json['error']]).toEqual([request, 400, 'invalid_request'])
    }
  })

  test('D58 the portal shows the new name at once', async () => {
    const { email, person } = await newPerson(app)
    const page = new Browser(app.platform)
    await page.signInByMail(email)
    for (const name of ['Ada Lovelace', 'Augusta King']) {
      expect((await rectify(person.token, { display_name: name })).status).toBe(200)
      for (const procedure of ['session.me', 'privacy.read']) {
        const { text } = await page.query(procedure)
        expect([procedure, text]).toEqual([procedure, expect.stringContaining(name)])
      }
    }
  })

  test('D58 refuses no member and an unknown one with 400, and what is not good with 422 and its place', async () => {
    const { principalId, person } = await newPerson(app)
    const before = await principalOf(principalId)
    for (const body of [
      {},
      { display_name: 'Eve', phone: '+1' },
      { Email: 'a@example.com' },
      { display_name: 'x', unknown: 1 },
    ]) {
      const refused = await rectify(person.token, body)
      expect([refused.status, refused.json.error]).toEqual([400, 'invalid_request'])
    }
    const bad = [
      ['display_name', ['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb', 'a\u202eb', 'a\u2028b', 7, {}]],
      ['email', ['', 'nobody', 'a@b@c.de', 'a@example.com, b@example.com', `${'x'.repeat(250)}@example.com`, null, 7]],
      [
        'email',
        ['a@b', '.a@example.com', 'a.@example.com', 'a..b@example.com', 'a@127.0.0.1', 'a@-example.com', '"a"@b.de'],
      ],
    ] as const
    for (const [name, values] of bad) {
      for (const value of values) {
        const refused = await rectify(person.token, { [name]: value })
        expect([value, refused.status, refused.json.detail?.[0]?.loc]).toEqual([value, 422, ['body', name]])
      }
    }
    expect(await principalOf(principalId)).toEqual(before)
    expect(await requestsOf(principalId)).toEqual([])
  })

  test.each(['ada@example.xn--p1ai', 'a&b@example.com', 'ada/berlin@example.com', 'ada=x@example.com'])(
    'D58 takes the address %s, as the sign-in form does',
    async (email) => {
      const { person } = await newPerson(app)
      const answer = await rectify(person.token, { email })
      expect([answer.status, answer.json]).toEqual([200, { status: 'rectified', fields: [], pending: ['email'] }])
      const created = await operate(app, 'POST', '/principals', { wallet_client_id: 'portal', email })
      expect(created.status).toBe(201)
    },
  )

  test('A6 another address waits for the link that is mailed to it, once, and the address before is notified', async () => {
    const { principalId, email, person } = await newPerson(app)
    const wanted = 'Ada.New+1@Example.com'
    const answer = await rectify(person.token, { email: ` ${wanted} `, display_name: 'Ada' })
    expect([answer.status, answer.json]).toEqual([
      200,
      { status: 'rectified', fields: ['display_name'], pending: ['email'] },
    ])
    expect(await principalOf(principalId)).toMatchObject({ email, display_name: 'Ada' })
    await rectify(person.token, { email: wanted })
    await runJobs(app)
    const mails = await outboxOf(app, wanted)
    expect(mails).toHaveLength(1)
    expect(await outboxOf(app, email)).toHaveLength(1)
    expect(await eventsOf(principalId)).toEqual([])
  })

  test('A6 the answer does not show whether the address belongs to another person', async () => {
    const other = await newPerson(app)
    const { person } = await newPerson(app)
    const [taken, free] = [
      await rectify(person.token, { email: other.email.toUpperCase() }),
      await rectify((await newPerson(app)).person.token, { email: 'free@example.com' }),
    ]
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const [mail] = await outboxOf(app, other.email.toUpperCase())
    expect(mail?.text).toContain('belongs to yours already')
  })

  test('A6 a token that the person did not confirm with a passkey of late cannot ask for another address', async () => {
    const { principalId, email, person } = await newPerson(app)
    await setAuthentication(app, person.token, 'phr', 16 * 60)
    const refused = await rectify(person.token, { email: 'thief@example.com', display_name: 'Thief' })
    expect([refused.status, refused.json.error]).toEqual([401, 'insufficient_user_authentication'])
    expect(await principalOf(principalId)).toMatchObject({ email })
    expect(await principalOf(principalId)).not.toMatchObject({ display_name: 'Thief' })
    expect(await requestsOf(principalId)).toEqual([])
  })
})

test('D60 objecting is idempotent, and payments go on', async () => {
  const { principalId, person } = await newPerson(app, { approval_rule: 'above_limits' })
  for (let n = 0; n < 2; n += 1) {
    const answer = await ask(app, person.token, 'objection')
    expect([answer.status, answer.json]).toEqual([200, { marketing_objected: true }])
  }
  expect(await principalOf(principalId)).toMatchObject({ marketing_objected: true, processing_restricted: false })
  const agent = await Agent.register(app, principalId)
  const tokens = await agent.buy()
  expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, 'goes-on')).status).toBe(200)
})

test('D62 access and erasure are entries of the chain, the other four are kept as requests', async () => {
  const { principalId, person } = await newPerson(app)
  const { request_id } = must(await ask(app, person.token, 'access'), 200)
  for (const right of ['rectification', 'portability', 'restriction', 'objection'] as const) {
    must(await ask(app, person.token, right, goodBody(right)), 200)
  }
  const by = { actor_kind: 'principal', actor_id: principalId }
  expect(await eventsOf(principalId)).toEqual([{ event: 'oid4ac.privacy.access', payload: { request_id }, ...by }])
  const erased = must(await ask(app, person.token, 'erasure'), 200)
  expect(await eventsOf(principalId)).toContainEqual({
    event: 'oid4ac.privacy.erasure',
    payload: { request_id: erased['request_id'] },
    ...by,
  })
  expect(new Set((await requestsOf(principalId)).map(({ kind }) => kind))).toEqual(new Set(rights))
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, exchange, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, mailSignInLinks } from '../support/browser'
import { useChannels } from '../support/channels-in-use'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PATH = '/wallet/notifications'
const STANDARD = { rcs_enabled: false, rcs_phone_e164: null, email_enabled: true }

interface SentMessage {
  readonly channel: string
  readonly to: string
  readonly subject?: string
  readonly text: string
  readonly links: readonly string[]
  readonly data?: Record<string, unknown>
}

let people = 0
const newPhone = () => `+35386${String(1_000_000 + ++people)}`

async function signedIn(options: Parameters<typeof newPrincipal>[1] = {}) {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits', ...options })
  const person = await Person.signIn(app, principalId)
  const phone = newPhone()
  return { principalId, email, person, phone }
}

/** Somebody whose phone has been in use for days, and who chooses so now, unless they never say anything. */
async function reachable(choice: ((phone: string) => Record<string, unknown>) | null) {
  const known = await signedIn()
  const wanted = choice?.(known.phone) ?? null
  if (wanted !== null) await useChannels(app.platform, known.principalId, wanted)
  return known
}

/** The messages to a person, oldest first. */
async function outboxOf({ email, phone }: { email: string; phone: string }): Promise<SentMessage[]> {
  const { json } = await exchange<{ messages: SentMessage[] }>(`${app.baseUrl}/sandbox/outbox`, {
    headers: { accept: 'application/json' },
  })
  return json.messages.filter(({ to }) => to === email || to === phone).toReversed()
}

const issuesOf = (json: Record<string, unknown>) =>
  (json['detail'] as { loc: unknown; type: string }[]).map(({ loc, type }) => ({ loc, type }))

describe('the preferences', () => {
  test('preferences are null until they are saved, and are read back as saved', async () => {
    const { person, phone } = await signedIn()
    const before = await person.call('GET', PATH)
    expect([before.status, before.text, before.headers.get('cache-control')]).toEqual([200, 'null', 'no-store'])
    const saved = await person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false })
    expect(saved.status).toBe(200)
    expect(saved.json).toEqual({
      rcs_enabled: true,
      rcs_phone_e164: phone,
      rcs_phone_confirmed_at: null,
      email_enabled: false,
      updated_at: expect.stringMatching(/Z$/),
    })
    expect((await person.call('GET', PATH)).json).toEqual(saved.json)
  })

  test('an absent preference takes its default, not its earlier value', async () => {
    const { person, phone } = await signedIn()
    await person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false })
    expect((await person.call('POST', PATH, {})).json).toMatchObject(STANDARD)
    expect((await person.call('POST', PATH, { rcs_phone_e164: phone })).json).toMatchObject({
      ...STANDARD,
      rcs_phone_e164: phone,
    })
  })

  test('saving the same preferences again keeps the row and moves updated_at', async () => {
    const { person, principalId } = await signedIn()
    const one = await person.call('POST', PATH, STANDARD)
    app.clock.advance({ seconds: 5 })
    const two = await person.call('POST', PATH, STANDARD)
    expect({ ...two.json, updated_at: null }).toEqual({ ...one.json, updated_at: null })
    const moved = Date.parse(String(two.json['updated_at'])) - Date.parse(String(one.json['updated_at']))
    expect(moved).toBeGreaterThanOrEqual(5_000)
    const rows = await app.platform.db.query(
      sql`SELECT 1 FROM notification_preferences WHERE principal_id = ${principalId}`,
    )
    expect(rows).toHaveLength(1)
  })

  test('of eight parallel saves of preferences exactly one stays', async () => {
    const { person } = await signedIn()
    const phones = Array.from({ length: 8 }, newPhone)
    const answers = await Promise.all(phones.map((phone) => person.call('POST', PATH, { rcs_phone_e164: phone })))
    expect(answers.map(({ status }) => status)).toEqual(phones.map(() => 200))
    expect(phones).toContain((await person.call('GET', PATH)).json['rcs_phone_e164'])
  })

  test.each<[string, Record<string, unknown>, unknown[], string]>([
    ['an unknown property', { push_enabled: true }, ['body', 'push_enabled'], 'extra_forbidden'],
    ['RCS without number', { rcs_enabled: true }, ['body', 'rcs_phone_e164'], 'value_error'],
    ['RCS with null', { rcs_enabled: true, rcs_phone_e164: null }, ['body', 'rcs_phone_e164'], 'value_error'],
    ['a null switch', { email_enabled: null }, ['body', 'email_enabled'], 'invalid_type'],
    ['a switch as text', { rcs_enabled: 'true' }, ['body', 'rcs_enabled'], 'invalid_type'],
    ['a number as number', { rcs_phone_e164: 353861234567 }, ['body', 'rcs_phone_e164'], 'invalid_type'],
    ...['', '0861234567', '353861234567', '+0861234567', '+353 86 123 4567', '+1234567890123456', '+١٢٣٤٥٦٧٨'].map(
      (phone): [string, Record<string, unknown>, unknown[], string] => [
        `the number ${JSON.stringify(phone)}`,
        { rcs_phone_e164: phone },
        ['body', 'rcs_phone_e164'],
        'invalid_format',
      ],
    ),
  ])('preferences with %s are 422 and not saved', async (_name, body, loc, type) => {
    const { person } = await signedIn()
    const answer = await person.call('POST', PATH, body)
    expect([answer.status, issuesOf(answer.json)]).toEqual([422, [{ loc, type }]])
    expect((await person.call('GET', PATH)).text).toBe('null')
  })

  test('reading preferences needs wallet:read, writing needs wallet:write, and each person has their own', async () => {
    const { principalId, person, phone } = await signedIn()
    const reader = await Person.signIn(app, principalId, 'wallet:read')
    const writer = await Person.signIn(app, principalId, 'wallet:write')
    expect((await writer.call('POST', PATH, { rcs_phone_e164: phone })).status).toBe(200)
    expect((await reader.call('GET', PATH)).json['rcs_phone_e164']).toBe(phone)
    for (const refused of [await writer.call('GET', PATH), await reader.call('POST', PATH, {})]) {
      expect([refused.status, refused.json['error']]).toEqual([403, 'insufficient_scope'])
    }
    expect((await exchange(app.baseUrl + PATH)).status).toBe(401)
    expect((await person.call('DELETE', PATH)).status).toBe(405)
    expect((await (await signedIn()).person.call('GET', PATH)).text).toBe('null')
  })
})

type Somebody = Awaited<ReturnType<typeof signedIn>>

/** What makes the service write, by the words that its message has. */
const events: Readonly<Record<string, { words: string; happen: (to: Somebody) => Promise<void> }>> = {
  'a purchase to decide': {
    words: 'Look at the request and decide',
    happen: async ({ principalId, person }) => {
      const agent = await Agent.register(app, principalId)
      const { form } = await agent.purchase()
      const answer = await agent.push({ ...form, consent_mode_hint: 'dashboard' })
      expect(answer.status).toBe(201)
      expect(await person.pending()).toHaveLength(1)
    },
  },
  'a payment': {
    words: 'paid 12.00 EUR',
    happen: async ({ principalId }) => {
      const agent = await Agent.register(app, principalId)
      const bought = await agent.buy()
      const settle = () => agent.settle(bought.access_token, bought.mandate_jwt, 'once')
      expect((await settle()).status).toBe(200)
      expect((await settle()).headers.get('idempotent-replayed')).toBe('true')
    },
  },
  'a payment above a limit': {
    words: 'Allow it once, or decline',
    happen: async ({ principalId, person }) => {
      const agent = await Agent.register(app, principalId)
      const bought = await agent.buy()
      await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
      const keys = ['one', 'two', 'three']
      const settled = await Promise.all(
        keys.map((key) => agent.settle(bought.access_token, bought.mandate_jwt, `limit-${key}`)),
      )
      expect(settled.map(({ json }) => json['error'])).toEqual(keys.map(() => 'limit_exceeded'))
    },
  },
}

describe.each(Object.entries(events))('%s', (_name, { words, happen }) => {
  test.each<[string, ((phone: string) => Record<string, unknown>) | null, string[]]>([
    ['who never said anything is mailed', null, ['email']],
    [
      'a person who chose both is notified through both',
      (phone) => ({ rcs_enabled: true, rcs_phone_e164: phone }),
      ['email', 'rcs'],
    ],
    [
      'a person who chose RCS alone gets that alone',
      (phone) => ({ rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false }),
      ['rcs'],
    ],
    ['a number alone switches nothing on', (phone) => ({ rcs_phone_e164: phone }), ['email']],
    ['a person who turned both off is not notified', () => ({ email_enabled: false }), []],
  ])('%s, once', async (_case, preferences, channels) => {
    const ada = await reachable(preferences)
    await happen(ada)
    const sent = await outboxOf(ada)
    expect(sent.map(({ channel }) => channel).toSorted()).toEqual(channels)
    for (const { channel, to, text, subject, links } of sent) {
      expect(to).toBe(channel === 'email' ? ada.email : ada.phone)
      expect(text).toContain(words)
      expect(typeof subject).toBe(channel === 'email' ? 'string' : 'undefined')
      expect(links).toHaveLength(1)
    }
  })
})

describe('what a message carries', () => {
  test('only the RCS message about a limit request carries a token', async () => {
    for (const [name, { happen }] of Object.entries(events)) {
      const ada = await reachable((phone) => ({ rcs_enabled: true, rcs_phone_e164: phone }))
      await happen(ada)
      const data = (await outboxOf(ada)).map((message) => [message.channel, message.data !== undefined])
      const isLimit = name === 'a payment above a limit'
      expect(Object.fromEntries(data), name).toEqual({ email: false, rcs: isLimit })
    }
  })

  test('a changed preference applies to later messages, not to those already written', async () => {
    const ada = await signedIn()
    await events['a payment']?.happen(ada)
    await ada.person.call('POST', PATH, { email_enabled: false })
    await events['a payment']?.happen(ada)
    const words = String(events['a payment']?.words)
    expect((await outboxOf(ada)).filter(({ text }) => text.includes(words))).toHaveLength(1)
  })

  test('links that sign in or confirm are mailed even when messages are off, and never sent to a phone', async () => {
    const ada = await signedIn({ magic_link_gate: true })
    const choice = { email_enabled: false, rcs_enabled: true, rcs_phone_e164: ada.phone }
    await useChannels(app.platform, ada.principalId, choice)
    const agent = await Agent.register(app, ada.principalId)
    await agent.authorize((await agent.push((await agent.purchase()).form)).json.request_uri)
    const asked = await new Browser(app.platform).post('/api/auth/sign-in-link', { email: ada.email })
    expect(asked.status, asked.text).toBe(202)
    await mailSignInLinks(app.platform)
    const sent = await outboxOf(ada)
    expect(sent.map(({ channel, subject }) => [channel, subject?.split(' ', 1)[0]])).toEqual([
      ['email', 'Confirm:'],
      ['email', 'Sign'],
    ])
  })
})

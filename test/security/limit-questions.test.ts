/** Decisions B12, E35, F37, F38: a purchase above limits is one question, and its answer is for that purchase alone. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, exchange, must, newPrincipal, Person, type Purchase, type TokenAnswer } from '../support/actors'
import { type App, startApp } from '../support/app'
import { useChannels } from '../support/channels-in-use'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const LIMITS = { single_txn_cap_minor: 2_000, daily_cap_minor: 5_000, currency: 'EUR' }
const item = (sku: string, minor: number) => ({
  amount_minor: minor,
  line_items: [{ sku, qty: 1, unit_price_minor: minor }],
})
const BOOK = item('book', 6_000)
const GIFT_CARD = item('gift-card', 6_000)

interface Exceeded {
  readonly kind: string
  readonly scope: string
  readonly current_minor: number
  readonly requested_minor: number
}

interface Bump extends Exceeded {
  readonly id: string
  readonly status: string
  readonly exceeds: readonly Exceeded[]
  readonly amount_minor: number
}

async function household(limits: Record<string, unknown> = LIMITS) {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits', limits })
  const agent = await Agent.register(app, principalId)
  return { principalId, email, agent, person: await Person.signIn(app, principalId) }
}

type Household = Awaited<ReturnType<typeof household>>

/** Pushes a purchase; `tokens` redeems it once it was approved. */
async function ask({ agent, person }: Household, options: Partial<Purchase>) {
  const { form, verifier } = await agent.purchase(options)
  const { request_uri: uri } = must(await agent.push(form), 201)
  const [consent = {}] = await person.pending()
  const tokens = async () => {
    const { result } = await agent.authorize(uri)
    return must(await agent.redeem(String(result['code']), verifier), 200)
  }
  return { uri, consent, tokens }
}

async function approved(home: Household, options: Partial<Purchase>): Promise<TokenAnswer> {
  const { consent, tokens } = await ask(home, options)
  must(await home.person.decide(consent['authorization_id'], 'approve'), 200)
  return tokens()
}

const settle = ({ agent }: Household, tokens: TokenAnswer, key: string = randomUUID()) =>
  agent.settle(tokens.access_token, tokens.mandate_jwt, key)
const bumps = async ({ person }: Household) =>
  must(await person.call<{ limit_bumps: Bump[] }>('GET', '/wallet/limit-bumps'), 200).limit_bumps
const decide = ({ person }: Household, bump: unknown, decision: 'approve' | 'decline') =>
  person.call<Bump & Record<string, unknown>>('POST', `/wallet/limit-bumps/${String(bump)}/${decision}`)

const messagesTo = async (to: string) => {
  const { json } = await exchange<{ messages: { to: string; subject?: string; text: string; data?: object }[] }>(
    `${app.baseUrl}/sandbox/outbox`,
    { headers: { accept: 'application/json' } },
  )
  return json.messages.filter((message) => message.to === to)
}

const single = (requested: number, current = 2_000) => ({
  kind: 'single_txn_cap',
  scope: 'wallet',
  current_minor: current,
  requested_minor: requested,
})
const daily = (requested: number, current = 5_000) => ({ ...single(requested, current), kind: 'daily_cap' })

/** Mandates that were issued before there were limits, so that their settlement is what meets them. */
async function beforeLimits(
  home: Household,
  purchases: readonly Partial<Purchase>[],
  limits: object = LIMITS,
): Promise<TokenAnswer[]> {
  await home.person.call('POST', '/wallet/limits', {})
  const bought: TokenAnswer[] = []
  for (const purchase of purchases) bought.push(await home.agent.buy(purchase))
  await home.person.call('POST', '/wallet/limits', limits)
  return bought
}

/** Settles a mandate that meets limits; the id of the limit request that the refusal names. */
async function meet(home: Household, tokens: TokenAnswer | undefined): Promise<string> {
  const refused = await settle(home, tokens as TokenAnswer)
  expect([refused.status, refused.json['error']]).toEqual([403, 'limit_exceeded'])
  return String(refused.json['bump_id'])
}

const statusOf = async (home: Household, tokens: TokenAnswer | undefined) =>
  (await settle(home, tokens as TokenAnswer)).status

describe('the grant of an approved purchase', () => {
  test('B12 lets one payment pass, where no other limit would stop the next', async () => {
    const home = await household()
    const onlySingle = { single_txn_cap_minor: 2_000, currency: 'EUR' }
    const [first, second] = await beforeLimits(home, [BOOK, BOOK], onlySingle)
    must(await decide(home, await meet(home, first), 'approve'), 200)
    expect(await statusOf(home, first)).toBe(200)
    await meet(home, second)
  })

  test('B12 is never consumed by another purchase of the same agent at the same merchant', async () => {
    const home = await household()
    const [giftCard] = await beforeLimits(home, [GIFT_CARD])
    const book = await approved(home, BOOK)
    await meet(home, giftCard)
    expect(await statusOf(home, book)).toBe(200)
  })

  test('B12 is not even consumed by the same purchase of another mandate', async () => {
    const home = await household()
    const [twin] = await beforeLimits(home, [BOOK])
    const book = await approved(home, BOOK)
    await meet(home, twin)
    expect(await statusOf(home, book)).toBe(200)
    await meet(home, twin)
  })

  test('F37 lifts no limit that it does not name: what is met then is asked as one new question', async () => {
    const home = await household({ ...LIMITS, daily_cap_minor: 7_000 })
    const book = await approved(home, BOOK)
    expect(await statusOf(home, await home.agent.buy({ amount_minor: 1_900 }))).toBe(200)
    const bump = await meet(home, book)
    expect(await bumps(home)).toMatchObject([{ id: bump, exceeds: [single(6_000), daily(7_900, 7_000)] }])
    must(await decide(home, bump, 'approve'), 200)
    expect(await statusOf(home, book)).toBe(200)
  })

  test('B12 ends with the approval, however that ends', async () => {
    const home = await household()
    const declined = await ask(home, BOOK)
    must(await home.person.decide(declined.consent['authorization_id'], 'decline'), 200)
    const bump = declined.consent['limit_bump_id']
    expect((await decide(home, bump, 'decline')).json).toMatchObject({ id: bump, status: 'declined' })
    expect((await decide(home, bump, 'approve')).status).toBe(409)
    const expired = await ask(home, BOOK)
    app.clock.advance({ seconds: 901 })
    const later = await Person.signIn(app, home.principalId)
    for (const decision of ['approve', 'decline'] as const) {
      const late = await decide({ ...home, person: later }, expired.consent['limit_bump_id'], decision)
      expect([late.status, late.json['error']]).toEqual([404, 'not_found'])
    }
  })
})

describe('a limit that is met only at settlement', () => {
  test('B12 is lifted for the same purchase, once', async () => {
    const home = await household()
    const [giftCard, dearer, book, twin] = await beforeLimits(home, [GIFT_CARD, item('book', 6_001), BOOK, BOOK])
    const bump = await meet(home, book)
    must(await decide(home, bump, 'approve'), 200)
    expect(await meet(home, giftCard)).not.toBe(bump)
    expect(await meet(home, dearer)).not.toBe(bump)
    expect(await statusOf(home, twin)).toBe(200)
    await meet(home, book)
  })

  test('B12 is lifted for less money and the same items, and for no other merchant or agent', async () => {
    const home = await household()
    const unpriced = (minor: number) => ({ amount_minor: minor, line_items: [{ sku: 'book', qty: 1 }] })
    const elsewhere = { ...unpriced(6_000), merchant: 'https://other.example' }
    const [most, less, other] = await beforeLimits(home, [unpriced(6_000), unpriced(5_500), elsewhere])
    const stranger = { ...home, agent: await Agent.register(app, home.principalId) }
    const [foreign] = await beforeLimits(stranger, [unpriced(6_000)])
    must(await decide(home, await meet(home, most), 'approve'), 200)
    await meet(home, other)
    await meet(stranger, foreign)
    expect(await statusOf(home, less)).toBe(200)
    await meet(home, most)
  })

  test('B12 is not asked about again when the agent starts over after the approval', async () => {
    const home = await household()
    const [book] = await beforeLimits(home, [BOOK])
    must(await decide(home, await meet(home, book), 'approve'), 200)
    const again = await home.agent.buy(BOOK)
    expect(await statusOf(home, again)).toBe(200)
    await ask(home, BOOK)
    expect(await home.person.pending()).toHaveLength(1)
  })

  test('B12 lets one of two settlements at once pass', async () => {
    const home = await household()
    const twins = await beforeLimits(home, [BOOK, BOOK])
    must(await decide(home, await meet(home, twins[0]), 'approve'), 200)
    const statuses = await Promise.all(twins.map((twin) => statusOf(home, twin)))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403])
  })

  test('E35 is one question for all limits, told once however often the agent tries', async () => {
    const home = await household()
    const [book] = await beforeLimits(home, [BOOK])
    const bump = await meet(home, book)
    expect(await meet(home, book)).toBe(bump)
    const named = { exceeds: [single(6_000), daily(6_000)], ...single(6_000) }
    expect(await bumps(home)).toMatchObject([{ id: bump, status: 'pending', amount_minor: 6_000, ...named }])
    const told = await messagesTo(home.email)
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain(
      'Over 2 of your limits:\n- One payment: 60.00 EUR, limit 20.00 EUR\n- Today: 60.00 EUR, limit 50.00 EUR\n',
    )
    expect((await decide(home, bump, 'approve')).json).toMatchObject({ status: 'approved', ...named })
    expect(await bumps(home)).toEqual([])
  })

  test('E35 is asked again when the answer would not do any more, and the old question ends', async () => {
    const home = await household()
    const [book, cheap] = await beforeLimits(home, [BOOK, item('pen', 300)])
    const first = await meet(home, book)
    expect(await statusOf(home, cheap)).toBe(200)
    const second = await meet(home, book)
    expect(await bumps(home)).toMatchObject([{ id: second, exceeds: [single(6_000), daily(6_300)] }])
    expect((await decide(home, first, 'approve')).status).toBe(409)
  })

  test('E35 asks at most three questions of one agent at a time', async () => {
    const home = await household()
    const bought = await beforeLimits(
      home,
      [6_000, 6_001, 6_002, 6_003].map((minor) => item('book', minor)),
    )
    const named: string[] = []
    for (const tokens of bought) named.push(await meet(home, tokens))
    expect(new Set(named).size).toBe(3)
    expect((await bumps(home)).map(({ id }) => id)).toEqual(expect.arrayContaining(named))
    expect(await messagesTo(home.email)).toHaveLength(3)
    for (const id of new Set(named)) must(await decide(home, id, 'decline'), 200)
    expect(named).not.toContain(await meet(home, bought[3]))
  })

  test('E35 is declined for a day, however often the agent tries and with how many mandates', async () => {
    const home = await household()
    const [book, again, giftCard] = await beforeLimits(home, [BOOK, BOOK, GIFT_CARD])
    const declined = await meet(home, book)
    must(await decide(home, declined, 'decline'), 200)
    for (const tokens of [book, book, again]) expect(await meet(home, tokens)).toBe(declined)
    expect([await bumps(home), await messagesTo(home.email)]).toMatchObject([[], [{}]])
    const other = await meet(home, giftCard)
    expect(await bumps(home)).toMatchObject([{ id: other }])
    app.clock.advance({ seconds: 86_400 })
    home.agent.forgetNonce()
    const tomorrow = { ...home, person: await Person.signIn(app, home.principalId) }
    const [fresh] = await beforeLimits(tomorrow, [BOOK])
    expect(await bumps(tomorrow)).toEqual([])
    const asked = await meet(tomorrow, fresh)
    expect(await bumps(tomorrow)).toMatchObject([{ id: asked }])
  })
})

describe('a purchase above several limits', () => {
  test('E35 F37 is one question that names them all, and nothing else waits beside it', async () => {
    const home = await household()
    const { consent } = await ask(home, BOOK)
    expect(consent).toMatchObject({
      limit_bump_id: expect.any(String),
      exceeds: [single(6_000), daily(6_000)],
    })
    expect(await bumps(home)).toEqual([])
    const [told, ...more] = await messagesTo(home.email)
    expect(more).toEqual([])
    expect(told?.text).toContain('Over 2 of your limits:\n- One payment: 60.00 EUR, limit 20.00 EUR\n- Today: 60.00')
    expect(told?.data).toBeUndefined()
  })

  test('F37 says whose limit it is, and counts payments without a currency', async () => {
    const home = await household({ velocity_count: 0, velocity_window_seconds: 60 })
    const own = { single_txn_cap_minor: 1_000, currency: 'EUR' }
    must(await home.person.call('POST', `/wallet/agents/${home.agent.clientId}/limits`, own), 200)
    const { consent } = await ask(home, item('pen', 1_200))
    const velocity = { kind: 'velocity', scope: 'wallet', current_minor: 0, requested_minor: 1 }
    expect(consent['exceeds']).toEqual([velocity, { ...single(1_200, 1_000), scope: 'agent' }])
    const [told] = await messagesTo(home.email)
    expect(told?.text).toContain(
      '- Number of payments: 1, limit 0\n- One payment: 12.00 EUR, limit of this agent 10.00 EUR\n',
    )
  })

  test('E35 is decided as a whole: its limit request is no second way, and follows the decision', async () => {
    const home = await household()
    const { consent, tokens } = await ask(home, BOOK)
    const bump = consent['limit_bump_id']
    for (const decision of ['approve', 'decline'] as const) {
      const apart = await decide(home, bump, decision)
      expect([apart.status, apart.json['error']]).toEqual([409, 'conflict'])
    }
    expect(await home.person.pending()).toMatchObject([consent])
    must(await home.person.decide(consent['authorization_id'], 'approve'), 200)
    expect((await decide(home, bump, 'approve')).json).toMatchObject({ id: bump, status: 'approved' })
    expect((await decide(home, bump, 'decline')).status).toBe(409)
    expect(await statusOf(home, await tokens())).toBe(200)
  })

  test('E35 cannot be lifted by the holder of the phone: its message has nothing to answer with', async () => {
    const home = await household()
    const phone = '+353851234567'
    await useChannels(app.platform, home.principalId, { rcs_enabled: true, rcs_phone_e164: phone })
    await ask(home, BOOK)
    const [message, ...more] = await messagesTo(phone)
    expect([message?.data, more]).toEqual([undefined, []])
    expect(message?.text).toContain('Over 2 of your limits:')
  })

  test('E35 another person finds neither the request nor its limits', async () => {
    const [home, other] = [await household(), await household()]
    const { consent } = await ask(home, BOOK)
    expect((await decide(other, consent['limit_bump_id'], 'approve')).status).toBe(404)
  })
})

describe('a purchase in another currency than that of a cap', () => {
  const refusal = async (home: Household, options: Partial<Purchase> = {}) => {
    const pushed = must(await home.agent.push((await home.agent.purchase(options)).form), 201)
    const status = await exchange(`${app.baseUrl}/oauth/par/${encodeURIComponent(pushed.request_uri)}/status`)
    expect(status.json).toEqual({ status: 'declined' })
    return (await home.agent.authorize(pushed.request_uri)).result
  }

  test.each([
    [
      'wallet',
      (home: Household) => home.person.call('POST', '/wallet/limits', { daily_cap_minor: 9_000, currency: 'USD' }),
    ],
    [
      'agent',
      (home: Household) =>
        home.person.call('POST', `/wallet/agents/${home.agent.clientId}/limits`, {
          single_txn_cap_minor: 9_000,
          currency: 'USD',
        }),
    ],
  ])('F38 of the %s is declined at once, asks nobody and says why', async (scope, limit) => {
    const home = await household({})
    must(await limit(home), 200)
    for (const hint of [{}, { consent_mode_hint: 'dashboard' }]) {
      const { form } = await home.agent.purchase()
      const pushed = must(await home.agent.push({ ...form, ...hint }), 201)
      expect(pushed.expires_in).toBe(60)
      expect((await home.agent.authorize(pushed.request_uri)).result).toMatchObject({
        error: 'access_denied',
        error_description: `The limits of this ${scope} are in USD.`,
      })
    }
    expect(await refusal(home)).toMatchObject({ error: 'access_denied' })
    expect(await home.person.pending()).toEqual([])
    expect(await messagesTo(home.email)).toEqual([])
    expect(await refusal(home, { merchant: 'https://other.example' })).toMatchObject({
      error_description: `The limits of this ${scope} are in USD.`,
    })
  })

  test('F38 passes in the currency of the cap, and where only payments are counted', async () => {
    const home = await household({ daily_cap_minor: 9_000, currency: 'USD' })
    expect(await home.agent.buy({ currency: 'USD' })).toHaveProperty('mandate_jwt')
    await home.person.call('POST', '/wallet/limits', {
      velocity_count: 9,
      velocity_window_seconds: 60,
      currency: 'USD',
    })
    expect(await home.agent.buy()).toHaveProperty('mandate_jwt')
  })
})

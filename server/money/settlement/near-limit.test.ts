import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useChannels } from '@/test/support/channels-in-use'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { type Preferences, readMessages } from '../../shared/notifications'
import { approveLimitBump, saveLimits } from '../../wallet/limits'
import { resolveUnknown } from './resolve-unknown'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const CAP = { daily_cap_minor: 10_000, currency: 'EUR' }
const EIGHTY = 'You have used 80% of your daily limit'
const HUNDRED = 'You have used 100% of your daily limit'

type LimitsInput = Parameters<typeof saveLimits.verb>[1]
type PreferencesInput = Partial<Preferences>

let people = 0

/** Creates a person with limits; returns them with functions that read the messages sent to them. */
async function someone(limits: LimitsInput | null = CAP) {
  people += 1
  const [email, phone] = [`near-${people}@example.com`, `+35386${1_000_000 + people}`]
  const person = await money.person({ email })
  const limit = (to: LimitsInput) => saveLimits.verb(money.wallet(person), to)
  if (limits !== null) await limit(limits)
  const outbox = async () =>
    (await readMessages(money.platform, 1_000)).filter(({ to }) => to === email || to === phone).toReversed()
  return {
    person,
    phone,
    limit,
    prefer: (to: PreferencesInput) => useChannels(money.platform, person.principalId, to),
    outbox,
    notices: async () =>
      (await outbox()).filter(({ links }) => links.some((link) => link.endsWith('/limits'))).map((m) => m.subject),
  }
}

/** Makes the payments in sequence, each at its own instant, so that the messages are in order. */
async function payAll(person: Person, amounts: readonly number[]): Promise<void> {
  for (const amountMinor of amounts) {
    expect((await money.settle(await money.mandate(person, { amountMinor }))).status).toBe(200)
    money.clock.advance(0.01)
  }
}

describe('the daily limit comes near', () => {
  test.each<[string, number[], string[]]>([
    ['79 %', [7_900], []],
    ['one unit below 80 %', [7_999], []],
    ['80 %', [8_000], [EIGHTY]],
    ['99 %', [9_900], [EIGHTY]],
    ['one unit below 100 %', [9_999], [EIGHTY]],
    ['100 %', [10_000], [HUNDRED]],
    ['79 % and 80 %', [7_900, 100], [EIGHTY]],
    ['79 % and 100 %', [7_900, 2_100], [HUNDRED]],
    ['80, 85 and 99 %', [8_000, 500, 1_400], [EIGHTY]],
    ['80 and 100 %', [8_000, 2_000], [EIGHTY, HUNDRED]],
    ['79, 80, 99 and 100 %', [7_900, 100, 1_900, 100], [EIGHTY, HUNDRED]],
  ])('payments up to %s notify the person of the shares that they reach', async (_share, amounts, subjects) => {
    const { person, notices } = await someone()
    await payAll(person, amounts)
    expect(await notices()).toEqual(subjects)
  })

  test('the message says what is used, what the limit is and what is left, and links to the limits', async () => {
    const { person, outbox } = await someone()
    await payAll(person, [8_250, 1_750])
    const link = `${money.platform.config.baseUrl}/limits`
    const told = (await outbox()).filter(({ links }) => links.includes(link))
    expect(told).toHaveLength(2)
    const [near, reached] = told
    expect(near).toMatchObject({ subject: EIGHTY, channel: 'email', links: [link] })
    expect(near?.text).toBe(
      'Your agents have used 82.50 EUR of your daily limit of 100.00 EUR. 17.50 EUR is left until midnight UTC.' +
        `\n\n${link}`,
    )
    expect(reached).toMatchObject({ subject: HUNDRED, channel: 'email', links: [link] })
    expect(reached?.text).toMatch(
      /^Your agents have used 100\.00 EUR of your daily limit of 100\.00 EUR\. Your limit is used up until midnight UTC\. Until then every payment needs your approval\./,
    )
  })

  test('money that is held counts as used', async () => {
    const { person, notices } = await someone()
    const silent = money.withProcessor({ confirmPaymentIntent: () => Promise.resolve({ status: 'unknown' }) })
    const held = await money.mandate(person, { amountMinor: 7_000 })
    await expect(money.settle(held, {}, silent)).rejects.toMatchObject({ status: 502 })
    expect(await notices()).toEqual([])
    await payAll(person, [1_000])
    expect(await notices()).toEqual([EIGHTY])
  })

  test('a payment above the limit that was allowed once is reported as 100 %, with what is used', async () => {
    const { person, outbox, notices } = await someone()
    const mandate = await money.mandate(person, { amountMinor: 12_000 })
    const error: unknown = await money.settle(mandate).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'limit_exceeded' })
    expect(await notices()).toEqual([])
    const { bump_id: bumpId } = (error as { members: { bump_id: string } }).members
    await approveLimitBump.verb(money.wallet(person), { bump_id: bumpId })
    expect((await money.settle(mandate)).status).toBe(200)
    expect(await notices()).toEqual([HUNDRED])
    expect((await outbox()).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('used 120.00 EUR of your daily limit of 100.00 EUR. Your limit is used up'),
    )
  })
})

describe('a limit per week or month comes near', () => {
  test.each([
    ['weekly', 'weekly_cap_minor', 'Monday 10 May 2027 at 00:00 (Europe/Berlin)'],
    ['monthly', 'monthly_cap_minor', 'Tuesday 1 June 2027 at 00:00 (Europe/Berlin)'],
  ])('payments of several days notify of the %s limit once per share, with its end', async (name, cap, end) => {
    const { person, outbox, notices } = await someone({ [cap]: 10_000, currency: 'EUR', time_zone: 'Europe/Berlin' })
    money.clock.set(new Date('2027-05-04T10:00:00Z'))
    await payAll(person, [7_900])
    money.clock.set(new Date('2027-05-05T10:00:00Z'))
    await payAll(person, [200])
    money.clock.set(new Date('2027-05-06T10:00:00Z'))
    await payAll(person, [100, 1_800])
    const [eighty, hundred] = [80, 100].map((share) => `You have used ${share}% of your ${name} limit`)
    expect(await notices()).toEqual([eighty, hundred])
    // Whether there is a comma after the day depends on the release of the names' data.
    const texts = (await outbox()).map(({ text }) => text.replace('day, ', 'day ')).join('\n')
    expect(texts).toContain(`81.00 EUR of your ${name} limit of 100.00 EUR. 19.00 EUR is left until ${end}.`)
    expect(texts).toContain(`Your limit is used up until ${end}.`)
  })
})

describe('once a day', () => {
  test('ten settlements at once that reach 100 % notify of it once, and of 80 % at most once', async () => {
    const { person, notices } = await someone()
    const mandates = await Promise.all(Array.from({ length: 10 }, () => money.mandate(person, { amountMinor: 1_000 })))
    const answers = await Promise.all(mandates.map((mandate) => money.settle(mandate)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const told = await notices()
    expect(told.filter((subject) => subject === HUNDRED)).toHaveLength(1)
    expect(told.filter((subject) => subject === EIGHTY).length).toBeLessThanOrEqual(1)
  })

  test('ten settlements at once that reach 80 % and no more notify of it once', async () => {
    const { person, notices } = await someone()
    const mandates = await Promise.all(Array.from({ length: 10 }, () => money.mandate(person, { amountMinor: 900 })))
    await Promise.all(mandates.map((mandate) => money.settle(mandate)))
    expect(await notices()).toEqual([EIGHTY])
  })

  test('a repeated settlement request does not notify again', async () => {
    const { person, notices } = await someone()
    const mandate = await money.mandate(person, { amountMinor: 9_000 })
    await Promise.all([1, 2, 3].map(() => money.settle(mandate, { key: `again-${person.principalId}` })))
    expect(await notices()).toEqual([EIGHTY])
  })

  test('a person who was notified of 100 % is not notified of 80 % after the limit was raised', async () => {
    const { person, limit, notices } = await someone()
    await payAll(person, [10_000])
    await limit({ ...CAP, daily_cap_minor: 12_000 })
    await payAll(person, [100])
    expect(await notices()).toEqual([HUNDRED])
    await payAll(person, [1_900])
    expect(await notices()).toEqual([HUNDRED])
  })

  test('the person is notified again on the next UTC day', async () => {
    const { person, notices } = await someone()
    money.clock.set(new Date('2027-03-01T23:59:59.900Z'))
    await payAll(person, [8_000])
    money.clock.advance(0.2)
    await payAll(person, [7_900])
    expect(await notices()).toEqual([EIGHTY])
    await payAll(person, [100])
    expect(await notices()).toEqual([EIGHTY, EIGHTY])
    await payAll(person, [2_000])
    expect(await notices()).toEqual([EIGHTY, EIGHTY, HUNDRED])
  })

  const CAPS = { weekly_cap_minor: 10_000, monthly_cap_minor: 10_000 }
  const [week, month] = ['weekly', 'monthly'].map((name) => `You have used 80% of your ${name} limit`)
  test.each([
    ['the next day', '2027-04-01T23:59:30Z', [week, month]],
    ['the next week', '2027-04-04T23:59:30Z', [month]],
    ['the next month', '2027-06-30T23:59:30Z', [week]],
    ['another week and month', '2027-10-31T23:59:30Z', []],
  ])('a payment whose outcome is found in %s notifies of the limits that it still counts in', async (_, at, told) => {
    const { person, notices } = await someone({ ...CAP, ...CAPS })
    money.clock.set(new Date(at))
    let processed = 0
    const lost = money.withProcessor({
      confirmPaymentIntent: async (id, settlementId) => {
        processed += (await money.sandbox.confirmPaymentIntent(id, settlementId)).status === 'succeeded' ? 1 : 0
        return { status: 'unknown' }
      },
    })
    const mandate = await money.mandate(person, { amountMinor: 9_000 })
    await expect(money.settle(mandate, {}, lost)).rejects.toMatchObject({ status: 502 })
    money.clock.advance(120)
    await resolveUnknown(money.platform)
    expect(processed).toBe(1)
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(1)
    const all = await notices()
    expect(all).toHaveLength(told.length)
    expect(new Set(all)).toEqual(new Set(told))
  })
})

describe('who is told', () => {
  test.each<[string, (phone: string) => PreferencesInput, string[]]>([
    [
      'both channels',
      (phone) => ({ rcs_enabled: true, rcs_phone_e164: phone, email_enabled: true }),
      ['email', 'rcs', 'email', 'rcs'],
    ],
    ['RCS alone', (phone) => ({ rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false }), ['rcs', 'rcs']],
    ['nothing', () => ({ rcs_enabled: false, rcs_phone_e164: null, email_enabled: false }), []],
  ])('a person who chose %s is told of each share there, once', async (_channels, preferences, channels) => {
    const { person, phone, prefer, outbox } = await someone()
    await prefer(preferences(phone))
    await payAll(person, [8_000, 500, 1_500])
    const told = (await outbox()).filter(({ text }) => text.includes('of your daily limit of'))
    expect(told.map(({ channel }) => channel).toSorted()).toEqual(channels.toSorted())
  })

  test.each(['rcs', 'email'])('a person who has since chosen %s alone is not told the same again', async (channel) => {
    const { person, phone, prefer, notices } = await someone()
    const alone = (only: boolean) => ({ rcs_enabled: only, rcs_phone_e164: phone, email_enabled: !only })
    await prefer(alone(channel !== 'rcs'))
    await payAll(person, [8_000])
    await prefer(alone(channel === 'rcs'))
    await payAll(person, [500])
    expect(await notices()).toHaveLength(1)
  })

  test.each<[string, LimitsInput | null]>([
    ['no limits', null],
    ['limits with nothing set', {}],
    ['a count alone', { velocity_count: 5, velocity_window_seconds: 60 }],
    ['a cap per payment alone', { single_txn_cap_minor: 10_000, currency: 'EUR' }],
  ])('a person with %s is not notified', async (_limits, limits) => {
    const { person, notices } = await someone(limits)
    await payAll(person, [10_000])
    expect(await notices()).toEqual([])
  })

  test('a person whose limit was lowered below what is used is not notified until they pay again', async () => {
    const { person, limit, notices } = await someone()
    await payAll(person, [5_000])
    await limit({ ...CAP, daily_cap_minor: 5_000 })
    expect(await notices()).toEqual([])
    await limit({ ...CAP, daily_cap_minor: 6_000 })
    await payAll(person, [500])
    expect(await notices()).toEqual([EIGHTY])
  })

  test('a payment in another currency than the limit’s does not notify', async () => {
    const { person, limit, notices } = await someone({})
    const swapped = money.withProcessor({
      confirmPaymentIntent: async (id, settlementId) => {
        await limit({ ...CAP, currency: 'USD' })
        return money.sandbox.confirmPaymentIntent(id, settlementId)
      },
    })
    expect((await money.settle(await money.mandate(person, { amountMinor: 10_000 }), {}, swapped)).status).toBe(200)
    expect(await notices()).toEqual([])
  })

  test('a payment that was declined does not notify', async () => {
    const { person, limit, notices } = await someone()
    await payAll(person, [5_000])
    await limit({ ...CAP, daily_cap_minor: 6_000 })
    const declining = money.withProcessor({
      confirmPaymentIntent: () => Promise.resolve({ status: 'failed', code: 'card_declined' }),
    })
    const mandate = await money.mandate(person, { amountMinor: 1_000 })
    expect((await money.settle(mandate, {}, declining)).status).toBe(402)
    expect(await notices()).toEqual([])
  })
})

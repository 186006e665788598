import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceError } from '@/server/core/errors'
import { approveLimitBump, declineLimitBump, listLimitBumps, saveLimits } from '@/server/limits'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/money-fixture'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const limit = (person: Person, limits: Parameters<typeof saveLimits.verb>[1]) =>
  saveLimits.verb(money.wallet(person), limits)

async function settleMany(person: Person, count: number, options: { amountMinor: number; agents?: readonly string[] }) {
  const agents = options.agents ?? [person.agentId]
  const mandates = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      money.mandate(person, {
        amountMinor: options.amountMinor,
        agentId: agents[at % agents.length] ?? person.agentId,
      }),
    ),
  )
  const results = await Promise.allSettled(mandates.map((mandate) => money.settle(mandate)))
  const codes = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as ServiceError).code] : [],
  )
  return { settled: results.filter(({ status }) => status === 'fulfilled').length, codes }
}

async function refused(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    () => expect.fail('not refused'),
    (error: ServiceError) => error,
  )
}

describe('the limits are exact, whatever runs at the same time', () => {
  test('a daily cap of ten payments lets ten of fifty pass, by four agents', async () => {
    const person = await money.person()
    const agents = [person.agentId, ...(await Promise.all([1, 2, 3].map(() => money.agent(person.principalId))))]
    await limit(person, { daily_cap_minor: 10_000, currency: 'EUR' })
    const { settled, codes } = await settleMany(person, 50, { amountMinor: 1_000, agents })
    expect(settled).toBe(10)
    expect(codes).toEqual(Array(40).fill('limit_exceeded'))
    const [counter] = await money.platform.db.query(
      'SELECT reserved_minor, spent_minor FROM spend_counters WHERE principal_id = $1',
      [person.principalId],
    )
    expect(counter).toEqual({ reserved_minor: 0, spent_minor: 10_000 })
    // One request per agent, however often each was refused.
    expect(await money.count('limit_bumps', 'principal_id = $1', [person.principalId])).toBe(4)
  })

  test('five in a sliding minute are five', async () => {
    const person = await money.person()
    await limit(person, { velocity_count: 5, velocity_window_seconds: 60 })
    expect((await settleMany(person, 20, { amountMinor: 1 })).settled).toBe(5)
    money.clock.advance(59)
    expect((await settleMany(person, 3, { amountMinor: 1 })).settled).toBe(0)
    money.clock.advance(1)
    expect((await settleMany(person, 20, { amountMinor: 1 })).settled).toBe(5)
  })

  test('a new UTC day has a cap of its own', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 1_000, currency: 'EUR' })
    money.clock.set(new Date('2027-03-01T23:59:59.900Z'))
    expect((await settleMany(person, 5, { amountMinor: 1_000 })).settled).toBe(1)
    money.clock.advance(0.2)
    expect((await settleMany(person, 5, { amountMinor: 1_000 })).settled).toBe(1)
  })

  test('a payment equal to the cap per payment passes, one unit more does not', async () => {
    const person = await money.person()
    await limit(person, { single_txn_cap_minor: 1_000, currency: 'EUR' })
    expect((await settleMany(person, 1, { amountMinor: 1_000 })).settled).toBe(1)
    expect((await settleMany(person, 1, { amountMinor: 1_001 })).codes).toEqual(['limit_exceeded'])
  })

  test('a payment in another currency than the caps is refused, never waved through', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 1_000, currency: 'USD' })
    expect((await settleMany(person, 1, { amountMinor: 1 })).codes).toEqual(['limit_currency_mismatch'])
  })

  test('a settlement that starts after limits were saved obeys them', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 5_000, currency: 'EUR' })
    await limit(person, { daily_cap_minor: 0, currency: 'EUR' })
    expect((await settleMany(person, 1, { amountMinor: 1 })).settled).toBe(0)
    await limit(person, {})
    expect((await settleMany(person, 1, { amountMinor: 1 })).settled).toBe(1)
  })
})

describe('limit bumps', () => {
  test('the refusal names the bump; approved, it lets exactly one payment through, and the limits stay', async () => {
    const person = await money.person()
    await limit(person, { single_txn_cap_minor: 500, daily_cap_minor: 100_000, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    expect(error.members).toEqual({ limit: 'single_txn_cap', bump_id: expect.any(String) })
    expect((await refused(money.settle(mandate))).members['bump_id']).toBe(error.members['bump_id'])
    const bumpId = String(error.members['bump_id'])
    const { limit_bumps: waiting } = (await listLimitBumps.verb(money.wallet(person), {})) as { limit_bumps: unknown[] }
    expect(waiting).toEqual([
      expect.objectContaining({
        id: bumpId,
        current_minor: 500,
        requested_minor: 800,
        status: 'pending',
        mandate_id: mandate.id,
      }),
    ])
    const call = money.wallet(person)
    const [one, two] = await Promise.all([1, 2].map(() => approveLimitBump.verb(call, { bump_id: bumpId })))
    expect(one).toEqual(two)
    expect((await settleMany(person, 10, { amountMinor: 800 })).settled).toBe(1)
    await expect(declineLimitBump.verb(call, { bump_id: bumpId })).rejects.toMatchObject({ status: 409 })
    const [stored] = await money.platform.db.query(
      'SELECT single_txn_cap_minor FROM wallet_limits WHERE principal_id = $1',
      [person.principalId],
    )
    expect(stored).toEqual({ single_txn_cap_minor: 500 })
  })

  test('a payment above two limits asks once, and one answer is enough', async () => {
    const person = await money.person()
    await limit(person, { single_txn_cap_minor: 500, daily_cap_minor: 600, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    await approveLimitBump.verb(money.wallet(person), { bump_id: String(error.members['bump_id']) })
    expect((await money.settle(mandate)).status).toBe(200)
    expect(await money.count('limit_bumps', 'principal_id = $1 AND used_by IS NOT NULL', [person.principalId])).toBe(2)
  })

  test('a grant that a declined card did not need is there for the next try', async () => {
    const person = await money.person({ card: 'decline' })
    await limit(person, { single_txn_cap_minor: 500, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    await approveLimitBump.verb(money.wallet(person), { bump_id: String(error.members['bump_id']) })
    expect((await money.settle(mandate)).status).toBe(402)
    expect((await money.settle(mandate)).status).toBe(402)
  })

  test('a grant lapses when the limit is lowered after it was asked for', async () => {
    const person = await money.person()
    await limit(person, { single_txn_cap_minor: 500, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    await approveLimitBump.verb(money.wallet(person), { bump_id: String(error.members['bump_id']) })
    await limit(person, { single_txn_cap_minor: 0, currency: 'EUR' })
    expect((await refused(money.settle(mandate))).code).toBe('limit_exceeded')
  })

  test('unknown, foreign and expired bumps look alike', async () => {
    const [person, other] = [await money.person(), await money.person()]
    await limit(person, { single_txn_cap_minor: 500, currency: 'EUR' })
    const error = await refused(money.settle(await money.mandate(person, { amountMinor: 800 })))
    const bumpId = String(error.members['bump_id'])
    const answers = await Promise.all([
      refused(approveLimitBump.verb(money.wallet(other), { bump_id: bumpId })),
      refused(approveLimitBump.verb(money.wallet(person), { bump_id: 'nothing' })),
    ])
    money.clock.advance(24 * 3600)
    answers.push(await refused(approveLimitBump.verb(money.wallet(person), { bump_id: bumpId })))
    for (const answer of answers)
      expect([answer.status, answer.description]).toEqual([404, 'There is no such limit request.'])
  })
})

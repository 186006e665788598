import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { ServiceError } from '../../base/core/errors'
import { sql } from '../../base/core/sql'
import { approveLimitBump, declineLimitBump, listLimitBumps, saveAgentLimits, saveLimits } from '../../wallet/limits'
import { openLimitRequest } from './open-limit-request'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

type LimitsInput = Parameters<typeof saveLimits.verb>[1]

const limit = (person: Person, limits: LimitsInput) => saveLimits.verb(money.wallet(person), limits)
const limitAgent = (person: Person, clientId: string, limits: LimitsInput) =>
  saveAgentLimits.verb(money.wallet(person), { client_id: clientId, ...limits })

/** Saves limits of the wallet, or of the person's first agent. */
const limitOf = (scope: 'wallet' | 'agent', person: Person, limits: LimitsInput) =>
  scope === 'wallet' ? limit(person, limits) : limitAgent(person, person.agentId, limits)

const withAgents = async (count: number) => {
  const person = await money.person()
  const others = Array.from({ length: count - 1 }, () => money.agent(person.principalId))
  return { person, agents: [person.agentId, ...(await Promise.all(others))] }
}

/** Returns the day's counters, held and spent: the person's, and each agent's in order. */
async function countersOf({ principalId }: Person, agents: readonly string[]) {
  const [wallet] = await money.platform.db.query(
    sql`SELECT reserved_minor, spent_minor FROM spend_counters WHERE principal_id = ${principalId}`,
  )
  const rows = await money.platform.db.query<{ client_id: string; reserved_minor: number; spent_minor: number }>(
    sql`SELECT client_id, reserved_minor, spent_minor FROM agent_spend_counters WHERE client_id = ANY (${agents}::text[])`,
  )
  const byAgent = new Map(rows.map(({ client_id: id, ...counter }) => [id, counter]))
  return { wallet, agents: agents.map((id) => byAgent.get(id)) }
}

const spent = (minor: number) => ({ reserved_minor: 0, spent_minor: minor })

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

describe('limits under load', () => {
  test('a daily cap of ten payments lets ten of two hundred pass, by four agents', async () => {
    const { person, agents } = await withAgents(4)
    await limit(person, { daily_cap_minor: 10_000, currency: 'EUR' })
    const { settled, codes } = await settleMany(person, 200, { amountMinor: 1_000, agents })
    expect(settled).toBe(10)
    expect(codes).toEqual(Array(190).fill('limit_exceeded'))
    const counters = await countersOf(person, agents)
    expect(counters.wallet).toEqual(spent(10_000))
    expect(counters.agents.reduce((sum, counter) => sum + (counter?.spent_minor ?? 0), 0)).toBe(10_000)
    // One limit request per agent, however often each was refused.
    expect(await money.count('limit_bumps', sql`principal_id = ${person.principalId}`)).toBe(4)
  })

  test('a daily cap of ten payments for one of two agents lets ten of its hundred pass, and every one of the other', async () => {
    const { person, agents } = await withAgents(2)
    await limitAgent(person, person.agentId, { daily_cap_minor: 10_000, currency: 'EUR' })
    expect((await settleMany(person, 200, { amountMinor: 1_000, agents })).settled).toBe(110)
    expect(await countersOf(person, agents)).toEqual({
      wallet: spent(110_000),
      agents: [spent(10_000), spent(100_000)],
    })
    expect(
      await money.count(
        'limit_bumps',
        sql`principal_id = ${person.principalId} AND exceeds -> 0 ->> 'scope' = 'agent'`,
      ),
    ).toBe(1)
  })

  test.each([
    { walletCap: 12_000, agentCap: 10_000, passing: 12 },
    { walletCap: 30_000, agentCap: 10_000, passing: 20 },
    { walletCap: 5_000, agentCap: 10_000, passing: 5 },
  ])('the stricter of the caps $walletCap for all and $agentCap for each of two agents wins', async (caps) => {
    const { person, agents } = await withAgents(2)
    await limit(person, { daily_cap_minor: caps.walletCap, currency: 'EUR' })
    for (const id of agents) await limitAgent(person, id, { daily_cap_minor: caps.agentCap, currency: 'EUR' })
    expect((await settleMany(person, 80, { amountMinor: 1_000, agents })).settled).toBe(caps.passing)
    const counters = await countersOf(person, agents)
    expect(counters.wallet).toEqual(spent(caps.passing * 1_000))
    for (const counter of counters.agents) expect(counter?.spent_minor).toBeLessThanOrEqual(caps.agentCap)
  })

  test.each(['wallet', 'agent'] as const)(
    'a limit of five payments in a sliding minute lets five pass, of the %s',
    async (scope) => {
      const person = await money.person()
      await limitOf(scope, person, { velocity_count: 5, velocity_window_seconds: 60 })
      expect((await settleMany(person, 2, { amountMinor: 1 })).settled).toBe(2)
      money.clock.advance(30)
      expect((await settleMany(person, 20, { amountMinor: 1 })).settled).toBe(3)
      money.clock.advance(29.999)
      expect((await settleMany(person, 3, { amountMinor: 1 })).settled).toBe(0)
      money.clock.advance(0.001)
      expect((await settleMany(person, 20, { amountMinor: 1 })).settled).toBe(2)
      money.clock.advance(30)
      expect((await settleMany(person, 20, { amountMinor: 1 })).settled).toBe(3)
    },
  )

  test("an agent's window counts its own payments, the wallet's those of all", async () => {
    const { person, agents } = await withAgents(2)
    await limit(person, { velocity_count: 7, velocity_window_seconds: 60 })
    await limitAgent(person, person.agentId, { velocity_count: 3, velocity_window_seconds: 600 })
    expect((await settleMany(person, 30, { amountMinor: 1 })).settled).toBe(3)
    expect((await settleMany(person, 30, { amountMinor: 1, agents })).settled).toBe(4)
    money.clock.advance(60)
    expect((await settleMany(person, 30, { amountMinor: 1 })).settled).toBe(0)
    expect((await settleMany(person, 30, { amountMinor: 1, agents })).settled).toBe(7)
  })

  test('each UTC day has a daily cap of its own', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 1_000, currency: 'EUR' })
    money.clock.set(new Date('2027-03-01T23:59:59.900Z'))
    expect((await settleMany(person, 5, { amountMinor: 1_000 })).settled).toBe(1)
    money.clock.advance(0.2)
    expect((await settleMany(person, 5, { amountMinor: 1_000 })).settled).toBe(1)
    await limit(person, {})
    await limitAgent(person, person.agentId, { daily_cap_minor: 2_000, currency: 'EUR' })
    expect((await settleMany(person, 5, { amountMinor: 1_000 })).settled).toBe(1)
    money.clock.advance(86_400)
    expect((await settleMany(person, 5, { amountMinor: 1_000 })).settled).toBe(2)
  })

  describe.each(['wallet', 'agent'] as const)('of the %s', (scope) => {
    test('a payment equal to the cap per payment passes, one unit more does not', async () => {
      const person = await money.person()
      await limitOf(scope, person, { single_txn_cap_minor: 1_000, currency: 'EUR' })
      expect((await settleMany(person, 1, { amountMinor: 1_000 })).settled).toBe(1)
      expect((await settleMany(person, 1, { amountMinor: 1_001 })).codes).toEqual(['limit_exceeded'])
    })

    test('a payment in another currency than a cap is refused, never waved through; a count has no currency', async () => {
      const person = await money.person()
      for (const cap of [{ daily_cap_minor: 1_000 }, { single_txn_cap_minor: 1_000 }]) {
        await limitOf(scope, person, { ...cap, currency: 'USD' })
        const { description, code } = await refused(money.settle(await money.mandate(person, { amountMinor: 1 })))
        expect([code, description]).toEqual(['limit_currency_mismatch', `The limits of this ${scope} are in USD.`])
      }
      await limitOf(scope, person, { velocity_count: 1, velocity_window_seconds: 60, currency: 'USD' })
      expect((await settleMany(person, 2, { amountMinor: 1 })).settled).toBe(1)
    })

    test('payments obey the cap per payment as it is before or after a change, and fail in no other way', async () => {
      const person = await money.person()
      const cap = (minor: number) => limitOf(scope, person, { single_txn_cap_minor: minor, currency: 'EUR' })
      await cap(1_000)
      const changes = async () => {
        for (let turn = 0; turn < 20; turn += 1) await cap(turn % 2 === 0 ? 500 : 1_000)
        await cap(700)
      }
      const [large, small] = await Promise.all([
        settleMany(person, 30, { amountMinor: 800 }),
        settleMany(person, 10, { amountMinor: 500 }),
        changes(),
      ])
      expect(small.settled).toBe(10)
      expect(large.codes).toEqual(Array(30 - large.settled).fill('limit_exceeded'))
      expect(await settleMany(person, 3, { amountMinor: 701 })).toMatchObject({ settled: 0 })
      expect(await settleMany(person, 3, { amountMinor: 700 })).toMatchObject({ settled: 3 })
    })

    test('a declined charge gives back what it held and does not count', async () => {
      const person = await money.person({ card: 'decline' })
      await limitOf(scope, person, {
        daily_cap_minor: 1_000,
        currency: 'EUR',
        velocity_count: 1,
        velocity_window_seconds: 60,
      })
      for (let turn = 0; turn < 3; turn += 1) {
        expect((await money.settle(await money.mandate(person, { amountMinor: 1_000 }))).status).toBe(402)
        expect(await countersOf(person, [person.agentId])).toEqual({ wallet: spent(0), agents: [spent(0)] })
      }
    })
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
  test('a refusal names a bump that, once approved, lets exactly one payment pass and leaves the limits as they are', async () => {
    const person = await money.person()
    await limit(person, { single_txn_cap_minor: 500, daily_cap_minor: 100_000, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    expect(error.members).toEqual({ limit: 'single_txn_cap', bump_id: expect.any(String) })
    expect((await refused(money.settle(mandate))).members['bump_id']).toBe(error.members['bump_id'])
    const bumpId = String(error.members['bump_id'])
    const { limit_bumps: waiting } = (await listLimitBumps.verb(money.wallet(person))) as { limit_bumps: unknown[] }
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
      sql`SELECT single_txn_cap_minor FROM wallet_limits WHERE principal_id = ${person.principalId}`,
    )
    expect(stored).toEqual({ single_txn_cap_minor: 500 })
  })

  test('E35 a payment above two limits asks once, and one answer is enough', async () => {
    const person = await money.person()
    await limit(person, { single_txn_cap_minor: 500, daily_cap_minor: 600, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    const approved = await approveLimitBump.verb(money.wallet(person), { bump_id: String(error.members['bump_id']) })
    const single = { kind: 'single_txn_cap', scope: 'wallet', current_minor: 500, requested_minor: 800 }
    const daily = { kind: 'daily_cap', scope: 'wallet', current_minor: 600, requested_minor: 800 }
    expect(approved).toMatchObject({ ...single, exceeds: [single, daily], amount_minor: 800 })
    expect((await money.settle(mandate)).status).toBe(200)
    expect(await money.count('limit_bumps', sql`principal_id = ${person.principalId} AND used_by IS NOT NULL`)).toBe(1)
  })

  test('a payment above a limit of wallet and agent alike asks once for both, and says whose each is', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 700, currency: 'EUR' })
    await limitAgent(person, person.agentId, { daily_cap_minor: 700, currency: 'EUR' })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const error = await refused(money.settle(mandate))
    const call = money.wallet(person)
    const waiting = await listLimitBumps.verb(call)
    const daily = { kind: 'daily_cap', current_minor: 700, requested_minor: 800 }
    expect(waiting).toEqual({
      limit_bumps: [
        expect.objectContaining({
          id: error.members['bump_id'],
          exceeds: [
            { ...daily, scope: 'wallet' },
            { ...daily, scope: 'agent' },
          ],
        }),
      ],
    })
    await approveLimitBump.verb(call, { bump_id: String(error.members['bump_id']) })
    expect((await money.settle(mandate)).status).toBe(200)
    expect(await money.count('limit_bumps', sql`principal_id = ${person.principalId} AND used_by IS NOT NULL`)).toBe(1)
    expect((await settleMany(person, 5, { amountMinor: 1 })).settled).toBe(0)
  })

  test("a grant to exceed an agent's limit lifts it once for that agent, and no limit of the wallet", async () => {
    const { person, agents } = await withAgents(2)
    for (const id of agents) await limitAgent(person, id, { single_txn_cap_minor: 500, currency: 'EUR' })
    const error = await refused(money.settle(await money.mandate(person, { amountMinor: 800 })))
    expect(error.members).toEqual({ limit: 'single_txn_cap', bump_id: expect.any(String) })
    const approved = await approveLimitBump.verb(money.wallet(person), { bump_id: String(error.members['bump_id']) })
    expect(approved).toMatchObject({ scope: 'agent', agent_client_id: person.agentId, current_minor: 500 })
    await limit(person, { single_txn_cap_minor: 500, currency: 'EUR' })
    expect((await settleMany(person, 4, { amountMinor: 800, agents })).settled).toBe(0)
    await limit(person, {})
    expect((await settleMany(person, 20, { amountMinor: 800, agents })).settled).toBe(1)
  })

  test('a grant that a declined charge did not use is there for the next try', async () => {
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

  test('no limit request is opened for a mandate that was revoked meanwhile', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person, { amountMinor: 800 })
    await money.platform.db.query(sql`UPDATE mandates SET revoked_at = ${money.clock.now()} WHERE id = ${mandate.id}`)
    const exceeds = [{ scope: 'wallet', kind: 'single_txn_cap', current_minor: 500, requested_minor: 800 }] as const
    const call = { platform: money.platform, now: money.clock.now() }
    expect(await refused(openLimitRequest(call, mandate, exceeds))).toMatchObject({
      status: 401,
      code: 'invalid_token',
    })
    expect(await money.count('limit_bumps', sql`principal_id = ${person.principalId}`)).toBe(0)
    expect(await money.count('messages', sql`principal_id = ${person.principalId}`)).toBe(0)
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

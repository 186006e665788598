import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import type { MandateRow } from '../../oauth/mandates'
import {
  type Exceeded,
  evaluateLimits,
  type Grant,
  type LimitKind,
  type LimitScope,
  type LimitState,
  type LimitStateRow,
  type Limits,
  limitStateSql,
  readLimitState,
  type Usage,
  utcDay,
} from '../../wallet/limits'
import { limitsIn, NO_CAPS } from '../../wallet/limits/currencies'
import { limitScopes, NO_LIMITS } from '../../wallet/limits/rules'
import { windowsAt } from '../../wallet/limits/windows'
import { limitsToWire } from '../../wallet/limits/wire-limits'
import { holdMoney } from './hold-money'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
  // A Wednesday, in a month that began before its week.
  money.clock.set(new Date('2027-03-17T12:00:00Z'))
})
afterAll(() => money.close())

const PAYMENT = { amountMinor: 500, currency: 'EUR' }
const WINDOW_SECONDS = 3_600
/** The amounts already used; different for wallet and agent, so that a mix-up is noticed. */
const USED = { wallet: 700, agent: 300 } as const
/** The amounts used before today: those of last week and last month count for fewer windows or for none. */
const EARLIER = [
  { day: '2027-03-15', wallet: 40, agent: 10 },
  { day: '2027-03-14', wallet: 500, agent: 300 },
  { day: '2027-02-28', wallet: 900, agent: 800 },
] as const
const USED_IN_WEEK = { wallet: 740, agent: 310 } as const
const USED_IN_MONTH = { wallet: 1_240, agent: 610 } as const
/** The lowest value of each limit with which the payment passes. */
const NEEDED: Readonly<Record<LimitScope, Readonly<Record<LimitKind, number>>>> = {
  wallet: { single_txn_cap: 500, daily_cap: 1_200, weekly_cap: 1_240, monthly_cap: 1_740, velocity: 1 },
  agent: { single_txn_cap: 500, daily_cap: 800, weekly_cap: 810, monthly_cap: 1_110, velocity: 1 },
}

/** The limit compared with what the payment needs: none, higher, equal, one too low, one too low with a grant. */
type Bound = 'none' | 'above' | 'at' | 'below' | 'granted'
type Place = readonly [LimitScope, LimitKind]
const placesOf = (kinds: readonly LimitKind[]): Place[] =>
  limitScopes.flatMap((scope) => kinds.map((kind) => [scope, kind] as const))
/** The limits that are tried in every combination, in two groups, since all at once would be too many. */
const groups: Readonly<Record<'oldest' | 'longest', readonly Place[]>> = {
  oldest: placesOf(['single_txn_cap', 'daily_cap', 'velocity']),
  longest: placesOf(['daily_cap', 'weekly_cap', 'monthly_cap']),
}
type Group = keyof typeof groups
const members = {
  daily_cap: 'dailyCapMinor',
  weekly_cap: 'weeklyCapMinor',
  monthly_cap: 'monthlyCapMinor',
  single_txn_cap: 'singleTxnCapMinor',
  velocity: 'velocityCount',
} as const satisfies Readonly<Record<LimitKind, keyof Limits>>

/** One test case: the state of the limits, the grant passed to the statement, and whether it must hold the money. */
interface Attempt {
  readonly limitState: LimitState
  readonly given: Grant | null
  readonly holds: boolean
}

let grants = 0

function limitStateOf(group: Group, bounds: readonly Bound[]): LimitState {
  const limits: Record<LimitScope, { -readonly [Member in keyof Limits]: Limits[Member] }> = {
    wallet: { ...NO_LIMITS, timeZone: 'UTC', currency: 'EUR', velocityWindowSeconds: WINDOW_SECONDS },
    agent: { ...NO_LIMITS, currency: 'EUR', velocityWindowSeconds: WINDOW_SECONDS },
  }
  const lifted: Exceeded[] = []
  for (const [index, [scope, kind]] of groups[group].entries()) {
    const bound = bounds[index] ?? 'none'
    const needed = NEEDED[scope][kind]
    if (bound === 'none') continue
    const limit = { above: needed + 1, at: needed, below: needed - 1, granted: needed - 1 }[bound]
    limits[scope][members[kind]] = limit
    if (bound === 'granted') lifted.push({ kind, scope, current_minor: limit, requested_minor: needed })
  }
  return limitStateWith(limits, grantsFor(lifted))
}

const NO_RECENT = { wallet: 0, agent: 0 }

function limitStateWith(
  limits: Readonly<Record<LimitScope, Limits>>,
  given: readonly Grant[],
  recent: Readonly<Record<LimitScope, number>> = NO_RECENT,
): LimitState {
  return {
    wallet: { limits: limits.wallet, usage: usageOf('wallet', limitsIn(limits.wallet, 'EUR'), recent.wallet) },
    agent: { limits: limits.agent, usage: usageOf('agent', limits.agent, recent.agent) },
    grants: given,
  }
}

const usageOf = (scope: LimitScope, { weeklyCapMinor, monthlyCapMinor }: Limits, recentCount: number): Usage => ({
  usedTodayMinor: USED[scope],
  usedThisWeekMinor: weeklyCapMinor === null ? 0 : USED_IN_WEEK[scope],
  usedThisMonthMinor: monthlyCapMinor === null ? 0 : USED_IN_MONTH[scope],
  recentCount,
})

/** Returns one grant for all these limits; none when there are none. */
function grantsFor([first, ...others]: readonly Exceeded[]): Grant[] {
  if (first === undefined) return []
  grants += 1
  return [{ bumpId: `grant-${String(grants).padStart(6, '0')}`, exceeds: [first, ...others] }]
}

/**
 * Returns the test case for a state: the statement must hold the money with the grant that TypeScript chose, or, where
 * a limit is exceeded, refuse even with a grant for the other limits.
 */
function attemptFor(limitState: LimitState): Attempt {
  const evaluation = evaluateLimits(limitState, PAYMENT)
  if (evaluation.outcome === 'within') return { limitState, given: evaluation.grant, holds: true }
  return { limitState, given: limitState.grants[0] ?? null, holds: false }
}

/**
 * Returns a copy of the case for each limit in the grant, with that limit missing, so that the statement must refuse.
 */
function attemptsWithout({ limitState, given }: Attempt): Attempt[] {
  const named = given?.exceeds ?? []
  return named.map((missing) => {
    const [rest = null] = grantsFor(named.filter((one) => one !== missing))
    return { limitState: { ...limitState, grants: rest === null ? [] : [rest] }, given: rest, holds: false }
  })
}

/** Returns every choice of one of `options` for each of the first `count` places. */
function combinations(options: readonly Bound[], count: number): Bound[][] {
  if (count === 0) return [[]]
  return combinations(options, count - 1).flatMap((head) => options.map((option) => [...head, option]))
}

/** Inserts each case for a person and an agent of its own, all of them in a few statements. */
async function insertAttempts(attempts: readonly Attempt[], prefix: string): Promise<void> {
  const { db } = money.platform
  const now = money.clock.now()
  const count = attempts.length
  const series = sql`generate_series(0, ${count - 1}::int) AS n`
  await db.query(sql`INSERT INTO principals (id, tenant_id, created_at)
    SELECT ${prefix}::text || n, ${money.tenantId}, ${now}::timestamptz FROM ${series}`)
  await db.query(sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks,
                                          metadata, created_at)
    SELECT ${prefix}::text || n, 'agent', ${money.tenantId}, ${prefix}::text || n, 'Agent', '[]', '[]', '[]', '[]', '{}',
           ${now}::timestamptz FROM ${series}`)
  await db.query(sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor,
                                           currency, jkt, status_index, issued_at, expires_at)
    SELECT ${prefix}::text || n, (SELECT family_id FROM mandates LIMIT 1), ${prefix}::text || n, ${prefix}::text || n,
           ${money.tenantId}, ${MERCHANT}, ${PAYMENT.amountMinor}::bigint, ${PAYMENT.currency}, 'jkt',
           (SELECT max(status_index) FROM mandates) + n + 1, ${now}::timestamptz, ${now}::timestamptz FROM ${series}`)
  for (const scope of limitScopes) {
    const rows = attempts.map(({ limitState }, n) => {
      const { other_currencies: others, ...row } = limitsToWire(limitState[scope].limits)
      return { id: `${prefix}${n}`, ...row, other_currencies: others == null ? null : JSON.stringify(others) }
    })
    const types = {
      id: 'text',
      daily_cap_minor: 'bigint',
      weekly_cap_minor: 'bigint',
      monthly_cap_minor: 'bigint',
      time_zone: 'text',
      currency: 'text',
      single_txn_cap_minor: 'bigint',
      velocity_count: 'int',
      velocity_window_seconds: 'int',
      other_currencies: 'jsonb',
    } as const
    const [limits, own, counters, key] =
      scope === 'wallet'
        ? ['wallet_limits (other_currencies, ', 'other_currencies, ', 'spend_counters', 'principal_id']
        : ['agent_limits (client_id, ', 'id, ', 'agent_spend_counters', 'client_id']
    await db.query(sql`INSERT INTO ${sql.raw(limits)} principal_id, daily_cap_minor, weekly_cap_minor, monthly_cap_minor,
                                   currency, single_txn_cap_minor, velocity_count, velocity_window_seconds, updated_at)
      SELECT ${sql.raw(own)} id, daily_cap_minor, weekly_cap_minor, monthly_cap_minor, currency, single_txn_cap_minor,
             velocity_count, velocity_window_seconds, ${now}::timestamptz FROM ${sql.rows('r', types, rows)}`)
    await db.query(sql`INSERT INTO ${sql.raw(counters)} (${sql.raw(key)}, day, currency, reserved_minor, spent_minor)
      SELECT ${prefix}::text || n, ${utcDay(now)}::date, 'EUR', 200, ${USED[scope] - 200}::bigint FROM ${series}`)
    for (const earlier of EARLIER) {
      await db.query(sql`INSERT INTO ${sql.raw(counters)} (${sql.raw(key)}, day, currency, reserved_minor, spent_minor)
        SELECT ${prefix}::text || n, ${earlier.day}::date, 'EUR', 5, ${earlier[scope] - 5}::bigint FROM ${series}`)
    }
  }
  const bumps = attempts.flatMap(({ limitState }, n) =>
    limitState.grants.map(({ bumpId, exceeds }) => ({
      exceeds: JSON.stringify(exceeds),
      who: `${prefix}${n}`,
      id: `${prefix}${n}-${bumpId}`,
    })),
  )
  const types = { id: 'text', who: 'text', exceeds: 'jsonb' } as const
  await db.query(sql`INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, currency, amount_minor,
                                              exceeds, status, created_at, expires_at)
    SELECT id, who, who, ${MERCHANT}, ${PAYMENT.currency}, ${PAYMENT.amountMinor}::bigint, exceeds, 'approved',
           ${now}::timestamptz, ${now}::timestamptz + interval '1 day' FROM ${sql.rows('r', types, bumps)}`)
}

/**
 * Inserts the payments of the velocity window: as many as each case counts, and two that do not count, one failed and
 * one exactly as old as the window is long. Those that only the wallet counts belong to another agent.
 */
async function insertRecent(attempts: readonly Attempt[], prefix: string): Promise<void> {
  const { db } = money.platform
  const now = money.clock.now()
  const edge = new Date(now.getTime() - WINDOW_SECONDS * 1000)
  const within = new Date(edge.getTime() + 1)
  const rows = attempts.flatMap(({ limitState }, n) => {
    const who = `${prefix}${n}`
    const [own, all] = [limitState.agent.usage.recentCount, limitState.wallet.usage.recentCount]
    const counted = Array.from({ length: all }, (_, k) => (k < own ? who : `${who}-other`))
    return [
      ...counted.map((agent) => ({ who, agent, state: 'succeeded', at: within })),
      { who, agent: who, state: 'failed', at: within },
      { who, agent: who, state: 'succeeded', at: edge },
    ]
  })
  const agents = rows.map(({ who, agent }) => ({ who, agent }))
  await db.query(sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks,
                                          metadata, created_at)
    SELECT DISTINCT agent, 'agent', ${money.tenantId}, who, 'Agent', '[]'::jsonb, '[]'::jsonb, '[]'::jsonb, '[]'::jsonb,
           '{}'::jsonb, ${now}::timestamptz
      FROM ${sql.rows('r', { who: 'text', agent: 'text' }, agents)} WHERE who <> agent`)
  const types = { id: 'text', who: 'text', agent: 'text', state: 'text', at: 'timestamptz', n: 'int' } as const
  const numbered = rows.map((row, n) => ({ ...row, n, id: `${row.who}-recent-${n}` }))
  await db.query(sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor,
                                           currency, jkt, status_index, issued_at, expires_at)
    SELECT id, (SELECT family_id FROM mandates LIMIT 1), agent, who, ${money.tenantId}, ${MERCHANT}, 1, 'EUR', 'jkt',
           (SELECT max(status_index) FROM mandates) + n + 1, at, at FROM ${sql.rows('r', types, numbered)}`)
  await db.query(sql`INSERT INTO settlements (id, client_id, principal_id, tenant_id, mandate_id, idempotency_key,
                                              request_digest, state, amount_minor, currency, merchant_audience,
                                              application_fee_minor, card_id, day, response, reserved_at, lease_until)
    SELECT id, agent, who, ${money.tenantId}, id, id, 'digest', state, 1, 'EUR', ${MERCHANT}, 0,
           (SELECT id FROM card_mandates LIMIT 1), ${utcDay(now)}::date, '{}', at, at FROM ${sql.rows('r', types, numbered)}`)
}

const stored = (grant: Grant, who: string): Grant => ({ ...grant, bumpId: `${who}-${grant.bumpId}` })

/** Reads the state of each case from the database; it must equal the one that TypeScript evaluated. */
async function readBack(attempts: readonly Attempt[], prefix: string): Promise<Map<string, LimitState>> {
  const now = money.clock.now()
  const limitState = limitStateSql({
    principal: sql`asked.who`,
    day: sql`${utcDay(now)}::text`,
    currency: sql`'EUR'`,
    now: sql`${now}`,
    agent: sql`asked.who`,
    audience: sql`${MERCHANT}`,
    amount: sql`${PAYMENT.amountMinor}::bigint`,
    items: sql`NULL`,
    consent: sql`NULL`,
  })
  const asked = attempts.map((_attempt, n) => ({ who: `${prefix}${n}` }))
  const rows = await money.platform.db.query<LimitStateRow & { who: string }>(
    sql`SELECT asked.who, ${limitState.columns} FROM ${sql.rows('asked', { who: 'text' }, asked)} ${limitState.join}`,
  )
  const judgements = rows.map(async ({ who, ...row }) => {
    const subject = { principalId: who, agentClientId: who, currency: 'EUR', now }
    const { windows: _, ...found } = await readLimitState(money.platform.db, row, subject)
    return [who, found] as const
  })
  return new Map(await Promise.all(judgements))
}

const PER_TRANSACTION = 200

/** Returns for each case whether the statement held the money. */
async function holdAll(attempts: readonly Attempt[], prefix: string): Promise<boolean[]> {
  const person = await money.person()
  const example = await money.mandate(person, PAYMENT)
  // Random otherwise, and perhaps too near the largest to count on from.
  await money.platform.db.query(
    sql`UPDATE mandates SET status_index = (SELECT coalesce(max(status_index), 0) + 1 FROM mandates WHERE id <> ${example.id})
         WHERE id = ${example.id}`,
  )
  const [card] = await money.platform.db.query<{ id: string }>(
    sql`SELECT id FROM card_mandates WHERE principal_id = ${person.principalId}`,
  )
  await insertAttempts(attempts, prefix)
  if (attempts.some(({ limitState }) => limitState.wallet.usage.recentCount > 0)) await insertRecent(attempts, prefix)
  const expected = attempts.map(({ limitState }, n) => [
    `${prefix}${n}`,
    {
      ...limitState,
      wallet: { ...limitState.wallet, limits: limitsIn(limitState.wallet.limits, 'EUR') },
      grants: limitState.grants.map((grant) => stored(grant, `${prefix}${n}`)),
    },
  ])
  expect(await readBack(attempts, prefix)).toEqual(new Map(expected as [string, LimitState][]))
  const windows = windowsAt(money.clock.now(), 'UTC')
  const held: boolean[] = []
  while (held.length < attempts.length) {
    const from = held.length
    const batch = attempts.slice(from, from + PER_TRANSACTION)
    await money.platform.db.transaction(async (tx) => {
      for (const [index, { given }] of batch.entries()) {
        const who = `${prefix}${from + index}`
        const mandate: MandateRow = { ...example, id: who, client_id: who, principal_id: who }
        const order = {
          mandate,
          settlementId: who,
          familyIds: [],
          idempotencyKey: who,
          requestDigest: 'digest',
          connectedAccountId: null,
          applicationFeeMinor: 0,
          sealedPresentation: `${who}~`,
          now: money.clock.now(),
        }
        const grant = given === null ? null : stored(given, who)
        const settlement = await holdMoney(tx, order, {
          cardId: card?.id ?? '',
          connectedAccountId: null,
          grant,
          windows,
        })
        held.push(settlement !== null)
      }
    })
  }
  return held
}

/** Returns the cases in which the statement did not do what was expected. */
async function disagreements(attempts: readonly Attempt[], prefix: string): Promise<Attempt[]> {
  const held = await holdAll(attempts, prefix)
  return attempts.filter(({ holds }, n) => holds !== held[n])
}

describe('the statement that holds money agrees with the evaluation', () => {
  // Several exceeded limits are no case of their own for the statement: it stops at any of them.
  const bounds = combinations(['none', 'at', 'below', 'granted'], 6).filter(
    (some) => some.filter((bound) => bound === 'below').length <= 1,
  )

  test.each<Group>(['oldest', 'longest'])(
    'the statement agrees for every limit of wallet and agent that is absent, kept, kept by a grant, or exceeded (%s)',
    {
      timeout: 120_000,
    },
    async (group) => {
      // Equal is the edge case; higher alternates with it.
      const attempts = bounds.map((some, n) =>
        attemptFor(
          limitStateOf(
            group,
            some.map((bound, place) => (bound === 'at' && (n + place) % 5 === 0 ? 'above' : bound)),
          ),
        ),
      )
      expect(attempts.filter(({ holds }) => holds)).toHaveLength(3 ** 6)
      expect(attempts).toHaveLength(3 ** 6 + 6 * 3 ** 5)
      expect(await disagreements(attempts, `${group}-`)).toEqual([])
    },
  )

  test.each<Group>(['oldest', 'longest'])(
    'the statement needs each of the limits that the grant names (%s)',
    async (group) => {
      const attempts = combinations(['at', 'granted'], 6).flatMap((some) =>
        attemptsWithout(attemptFor(limitStateOf(group, some))),
      )
      expect(attempts).toHaveLength(6 * 2 ** 5)
      expect(await disagreements(attempts, `${group}-missing-`)).toEqual([])
    },
  )

  test('the statement agrees for caps in the same currency, in another one and in none', async () => {
    const caps = [
      {},
      { dailyCapMinor: 9_000 },
      { singleTxnCapMinor: 9_000 },
      { weeklyCapMinor: 9_000 },
      { monthlyCapMinor: 9_000 },
      { dailyCapMinor: 9_000, singleTxnCapMinor: 9_000 },
    ]
    const limits = caps.flatMap((some) =>
      ['EUR', 'USD', null].map((currency): Limits => ({ ...NO_LIMITS, ...some, currency })),
    )
    const attempts = limits.flatMap((wallet) =>
      limits.map((agent) => attemptFor(limitStateWith({ wallet: { ...wallet, timeZone: 'UTC' }, agent }, []))),
    )
    expect(new Set(attempts.map(({ holds }) => holds))).toEqual(new Set([true, false]))
    expect(await disagreements(attempts, 'currency-')).toEqual([])
  })

  test('the statement agrees for caps in several currencies, in whatever place each of them stands', async () => {
    const { single_txn_cap: single, daily_cap: daily, weekly_cap: weekly, monthly_cap: monthly } = NEEDED.wallet
    const caps = [0, -1].flatMap((spare) =>
      [
        { singleTxnCapMinor: single + spare },
        { dailyCapMinor: daily + spare },
        { weeklyCapMinor: weekly + spare, dailyCapMinor: 9_000 },
        { monthlyCapMinor: monthly + spare, weeklyCapMinor: 9_000 },
      ].map((some) => ({ ...NO_CAPS, ...some })),
    )
    const tiny = { ...NO_CAPS, dailyCapMinor: 1, monthlyCapMinor: 1 }
    const several: Limits[] = caps.flatMap((euros) => [
      { ...NO_LIMITS, ...euros, currency: 'EUR', others: { USD: tiny } },
      { ...NO_LIMITS, ...tiny, currency: 'USD', others: { EUR: euros, GBP: tiny } },
      // The limit in the row's own currency takes precedence over a second entry for that currency.
      { ...NO_LIMITS, ...euros, currency: 'EUR', others: { EUR: tiny, USD: tiny } },
      { ...NO_LIMITS, currency: 'EUR', others: { EUR: euros } },
      { ...NO_LIMITS, currency: null, others: { EUR: euros, USD: tiny } },
      { ...NO_LIMITS, ...tiny, currency: 'USD', others: { GBP: euros } },
      { ...NO_LIMITS, currency: 'EUR', others: { GBP: euros, USD: euros } },
    ])
    const attempts = several.map((wallet) =>
      attemptFor(limitStateWith({ wallet: { ...wallet, timeZone: 'UTC' }, agent: NO_LIMITS }, [])),
    )
    expect(attempts.filter(({ holds }) => holds)).toHaveLength(5 * (caps.length / 2))
    expect(await disagreements(attempts, 'several-')).toEqual([])
  })

  test('the statement agrees for counts of payments within a window', async () => {
    const limitOf = (velocityCount: number | null): Limits => ({
      ...NO_LIMITS,
      velocityCount,
      velocityWindowSeconds: WINDOW_SECONDS,
    })
    const attempts = [0, 1, 2].flatMap((own) =>
      [own, own + 1].flatMap((all) =>
        [null, all, all + 1].flatMap((wallet) =>
          [null, own, own + 1].map((agent) =>
            attemptFor(
              limitStateWith({ wallet: { ...limitOf(wallet), timeZone: 'UTC' }, agent: limitOf(agent) }, [], {
                wallet: all,
                agent: own,
              }),
            ),
          ),
        ),
      ),
    )
    expect(new Set(attempts.map(({ holds }) => holds))).toEqual(new Set([true, false]))
    expect(await disagreements(attempts, 'count-')).toEqual([])
  })
})

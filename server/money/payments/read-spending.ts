import type { Days } from '../../base/core/calendar-day'
import type { WalletCall } from '../../base/core/call'
import { findTurningClock } from '../../wallet/limits'
import { type Stretch, sumByParty, sumByTime, sumPeriods } from './bars-store'
import type { SpendingPart, SpendingPeriod } from './input'
import { barsOf, dayIn, spendingDays, startIn } from './spending-days'

const PARTIES_SHOWN = 8

interface SpendingChoice {
  readonly period: SpendingPeriod
  readonly per: SpendingPart
}

/**
 * Returns what the caller's agents have spent in a period and in the same number of days of the period before, per
 * currency. Days are those of the caller's time zone; payments whose dispute was lost are left out.
 */
export async function readSpending({ platform: { db }, actor, now }: WalletCall, { period, per }: SpendingChoice) {
  const { timeZone } = await findTurningClock(db, actor.principalId)
  const { days, before } = spendingDays(period, dayIn(timeZone, now))
  const stretch = stretchOf(timeZone, days)
  const [totals, bars] = await Promise.all([
    sumPeriods(db, actor.principalId, { period: stretch, before: stretchOf(timeZone, before) }),
    per === 'day'
      ? sumByDayOrMonth(db, actor.principalId, { ...barsOf(period, days), timeZone, until: stretch.until })
      : { per, bars: await sumByParty(db, actor.principalId, { party: per, period: stretch, max: PARTIES_SHOWN }) },
  ])
  return { timeZone, days, before, totals, ...bars }
}

export type Spending = Awaited<ReturnType<typeof readSpending>>

function stretchOf(timeZone: string, { from, to }: Days): Stretch {
  return { from: startIn(timeZone, from), until: startIn(timeZone, to + 1) }
}

interface TimeBars extends ReturnType<typeof barsOf> {
  readonly timeZone: string
  readonly until: Date
}

async function sumByDayOrMonth(
  db: Parameters<typeof sumByTime>[0],
  principalId: string,
  { per, starts, timeZone, until }: TimeBars,
) {
  const begins = starts.map((day) => startIn(timeZone, day))
  return { per, starts, bars: await sumByTime(db, principalId, { starts: begins, until }) }
}

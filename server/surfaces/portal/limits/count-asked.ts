import { evaluateLimits, type Limits, UNLIMITED, utcDay, windowsAt } from '../../../wallet/limits'
import { DEFAULT_TIME_ZONE } from '../../../wallet/limits/input'

/** A past payment, with an approval or without. Amount in minor units. */
export interface PastPayment {
  readonly at: Date
  readonly amountMinor: number
  readonly currency: string
}

/** The result of evaluating past payments, in the order of time. */
interface EvaluatedPayments<P extends PastPayment> {
  readonly payments: number
  /** The payments above a limit, for which the person would have been asked. */
  readonly asked: readonly P[]
  /** The number of payments in another currency than the limits, which would have been refused. */
  readonly refused: number
}

/**
 * Evaluates past payments as if these limits had applied then. Payments before `from` are not evaluated, but count in
 * the windows of days, weeks, months and numbers of payments that reach back to them; `payments` is in the order of
 * time.
 */
export function evaluatePast<P extends PastPayment>(
  limits: Limits,
  payments: readonly P[],
  from: Date,
): EvaluatedPayments<P> {
  const usageOf = usageBefore(limits, payments)
  const outcomes = payments.map((payment, index) => {
    const wallet = { limits, usage: usageOf(index) }
    return { payment, ...evaluateLimits({ wallet, agent: UNLIMITED, grants: [] }, payment) }
  })
  const evaluated = outcomes.filter(({ payment }) => payment.at >= from)
  return {
    payments: evaluated.length,
    asked: evaluated.filter(({ outcome }) => outcome === 'exceeded').map(({ payment }) => payment),
    refused: evaluated.filter(({ outcome }) => outcome === 'currency_mismatch').length,
  }
}

/**
 * Returns a function for the usage before each payment, in its currency; it must be called in the order of the
 * payments.
 */
function usageBefore(limits: Limits, payments: readonly PastPayment[]) {
  const currencies = new Set(payments.map(({ currency }) => currency))
  const sumsIn = new Map([...currencies].map((currency) => [currency, moneySums(payments, currency)] as const))
  const recent = slidingSum(payments, () => 1)
  const windowsOf = followWindows(limits.timeZone ?? DEFAULT_TIME_ZONE)
  return (index: number) => {
    const { at: now, currency } = payments[index] ?? NEVER
    const sums = sumsIn.get(currency)
    const windows = windowsOf(now)
    const recentFrom = new Date(now.getTime() - (limits.velocityWindowSeconds ?? 0) * 1000 + 1)
    return {
      usedTodayMinor: sums?.today(index, new Date(utcDay(now))) ?? 0,
      usedThisWeekMinor: sums?.week(index, windows.week.from) ?? 0,
      usedThisMonthMinor: sums?.month(index, windows.month.from) ?? 0,
      recentCount: recent(index, recentFrom),
    }
  }
}

const NEVER = { at: new Date(0), currency: '' }

function moneySums(payments: readonly PastPayment[], wanted: string) {
  const moneyOf = ({ amountMinor, currency }: PastPayment) => (currency === wanted ? amountMinor : 0)
  return {
    today: slidingSum(payments, moneyOf),
    week: slidingSum(payments, moneyOf),
    month: slidingSum(payments, moneyOf),
  }
}

/** Returns a function that adds up the payments before one of them, from an instant that may only increase. */
function slidingSum(payments: readonly PastPayment[], valueOf: (payment: PastPayment) => number) {
  const values = payments.map(valueOf)
  let [first, next, sum] = [0, 0, 0]
  return (index: number, from: Date): number => {
    for (; next < index; next += 1) sum += values[next] ?? 0
    for (; first < next && (payments[first]?.at ?? from) < from; first += 1) sum -= values[first] ?? 0
    return sum
  }
}

/** Returns a function for the windows of increasing instants; they are computed again once one has ended. */
function followWindows(timeZone: string) {
  let windows = windowsAt(new Date(0), timeZone)
  return (now: Date) => {
    if (now >= windows.week.until || now >= windows.month.until) windows = windowsAt(now, timeZone)
    return windows
  }
}

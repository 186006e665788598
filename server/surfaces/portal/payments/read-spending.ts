import type { WalletCall } from '../../../base/core/call'
import { readSpending as readSpendingOfPerson, SPENDING_DAYS } from '../../../money/payments'
import type { CurrencySpending, SpendingView } from './view'

const DAY_MS = 86_400_000

/** What was spent on each of the last thirty days and at which merchants: one part per currency, never added up. */
export async function readSpending(call: WalletCall): Promise<SpendingView> {
  const { from, days, merchants } = await readSpendingOfPerson(call)
  const calendar = Array.from({ length: SPENDING_DAYS }, (_, at) => dayOf(new Date(from.getTime() + at * DAY_MS)))
  const currencies = [...new Set(days.map(({ currency }) => currency))]
  return {
    from: dayOf(from),
    to: calendar.at(-1) ?? dayOf(from),
    currencies: currencies.map((currency): CurrencySpending => {
      const own = new Map(days.filter((day) => day.currency === currency).map((day) => [day.day, day]))
      const sums = [...own.values()]
      return {
        currency,
        amount_minor: sums.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        count: sums.reduce((sum, { count }) => sum + count, 0),
        days: calendar.map((day) => ({
          day,
          amount_minor: own.get(day)?.amountMinor ?? 0,
          count: own.get(day)?.count ?? 0,
        })),
        merchants: merchants
          .filter((merchant) => merchant.currency === currency)
          .map(({ merchantAudience, merchantName, amountMinor, count }) => ({
            merchant_audience: merchantAudience,
            merchant_name: merchantName,
            amount_minor: amountMinor,
            count,
          })),
      }
    }),
  }
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { type Days, writeDay } from '../../../base/core/calendar-day'
import type { WalletCall } from '../../../base/core/call'
import { readSpending as readSpendingOfPerson, type Spending } from '../../../money/payments'
import type { readSpendingProcedure } from './contract'
import type { CurrencySpending, SpendingBar, SpendingView } from './view'

/** Returns the spending of a period, per day, month, merchant or agent; currencies are never added up. */
export async function readSpending(
  call: WalletCall,
  input: ProcedureInput<typeof readSpendingProcedure>,
): Promise<SpendingView> {
  const spending = await readSpendingOfPerson(call, input)
  return {
    time_zone: spending.timeZone,
    days: renderDays(spending.days),
    before: renderDays(spending.before),
    per: spending.per,
    currencies: spending.totals.map(
      ({ currency, amountMinor, beforeMinor, count }): CurrencySpending => ({
        currency,
        amount_minor: String(amountMinor),
        count,
        before_minor: String(beforeMinor),
        bars: barsIn(spending, currency),
      }),
    ),
  }
}

const renderDays = ({ from, to }: Days) => ({ from: writeDay(from), to: writeDay(to) })

function barsIn(spending: Spending, currency: string): SpendingBar[] {
  if ('starts' in spending) {
    const own = new Map(spending.bars.filter((bar) => bar.currency === currency).map((bar) => [bar.key, bar]))
    return spending.starts.map((day, at) => ({
      key: writeDay(day),
      name: null,
      amount_minor: String(own.get(at)?.amountMinor ?? 0),
      count: own.get(at)?.count ?? 0,
    }))
  }
  return spending.bars
    .filter((bar) => bar.currency === currency)
    .map(({ key, name, amountMinor, count }) => ({ key, name, amount_minor: String(amountMinor), count }))
}

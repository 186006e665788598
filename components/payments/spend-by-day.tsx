'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { CurrencySpending } from '@/components/lib/api-types'
import { Disclosure } from '@/components/ui/disclosure'
import { Money } from '@/components/ui/money'
import { paymentsTexts } from './messages'

/** Bars for whoever sees them, the highest in words, and every day in a table. */
export function SpendByDay({ spending }: { readonly spending: CurrencySpending }) {
  const text = useText(paymentsTexts).spending
  const format = useFormat()
  const { currency, days } = spending
  const dateOf = (day: string) => format.time(`${day}T00:00:00Z`, 'date', 'UTC')
  const highest = days.reduce((most, day) => (day.amount_minor > most.amount_minor ? day : most))
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">{text.byDay}</h3>
      <p className="text-sm text-muted">
        {text.highest(format.money(highest.amount_minor, currency), dateOf(highest.day).replaceAll(' ', '\u00a0'))}
      </p>
      <div aria-hidden className="grid gap-1">
        <div className="flex h-32 items-end gap-px border-b border-control sm:gap-1">
          {days.map(({ day, amount_minor: minor }) => (
            <span
              key={day}
              title={`${dateOf(day)}: ${format.money(minor, currency)}`}
              className="flex-1 rounded-t-sm bg-accent"
              style={{ height: minor === 0 ? 0 : `${Math.max(2, (minor / highest.amount_minor) * 100)}%` }}
            />
          ))}
        </div>
        <p className="flex justify-between gap-4 text-sm text-muted">
          <time dateTime={first}>{dateOf(first)}</time>
          <time dateTime={last}>{dateOf(last)}</time>
        </p>
      </div>
      <DayTable spending={spending} dateOf={dateOf} />
    </div>
  )
}

interface DayTableProps {
  readonly spending: CurrencySpending
  readonly dateOf: (day: string) => string
}

function DayTable({ spending, dateOf }: DayTableProps) {
  const text = useText(paymentsTexts).spending
  const { currency, days } = spending
  return (
    <Disclosure look="inline" summary={text.asTable}>
      <table aria-label={text.byDayIn(currency)} className="w-full border-collapse">
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="pb-1 text-start font-medium">
              {text.day}
            </th>
            <th scope="col" className="whitespace-nowrap pb-1 ps-3 text-end font-medium">
              {text.count}
            </th>
            <th scope="col" className="whitespace-nowrap pb-1 ps-3 text-end font-medium">
              {text.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className={day.count === 0 ? 'border-t border-line text-muted' : 'border-t border-line'}>
              <th scope="row" className="py-1.5 text-start font-normal">
                <time dateTime={day.day}>{dateOf(day.day)}</time>
              </th>
              <td className="py-1.5 text-end tabular-nums">{day.count}</td>
              <td className="py-1.5 ps-3 text-end">
                <Money minor={day.amount_minor} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Disclosure>
  )
}

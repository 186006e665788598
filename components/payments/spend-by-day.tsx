'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { CurrencySpending } from '@/components/lib/api-types'
import { AmountTable } from '@/components/ui/amount-table'
import { Disclosure } from '@/components/ui/disclosure'
import { paymentsTexts } from './messages'

/** Bars for sighted people, the highest day in words, and every day in a table. */
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
      <Disclosure look="inline" summary={text.asTable}>
        <AmountTable
          label={text.byDayIn(currency)}
          columns={{ name: text.day, payments: text.count, amount: text.amount }}
          rows={days.toReversed().map(({ day, count, amount_minor: minor }) => ({
            key: day,
            name: <time dateTime={day}>{dateOf(day)}</time>,
            payments: count,
            minor,
            currency,
          }))}
        />
      </Disclosure>
    </div>
  )
}

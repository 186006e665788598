'use client'

import { useLocale, useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { CurrencySpending, SpendingBar } from '@/components/lib/api-types'
import { AmountTable } from '@/components/ui/amount-table'
import { Disclosure } from '@/components/ui/disclosure'
import { LineLink } from '@/components/ui/text-link'
import { noFilter, queryOf } from './filter'
import { formatMonth } from './format-days'
import { spendingTexts } from './spending-messages'

interface SpendByTimeProps {
  readonly own: CurrencySpending
  readonly per: 'day' | 'month'
}

/** Shows a bar chart, which is hidden from screen readers, and every bar as a row of a folded table. */
export function SpendByTime({ own, per }: SpendByTimeProps) {
  const text = useText(spendingTexts)
  const nameOf = useBarName(per)
  const { currency, bars } = own
  return (
    <div className="grid gap-2">
      <Bars own={own} nameOf={nameOf} />
      <Disclosure look="inline" summary={text.asTable}>
        <AmountTable
          label={text.table[per](currency)}
          columns={{ name: text.parts[per], payments: text.payments, amount: text.amount }}
          rows={bars.toReversed().map(({ key, count, amount_minor: minor }) => ({
            key: key ?? '',
            name: <BarName day={key ?? ''} name={nameOf(key ?? '')} isLinked={per === 'day' && count > 0} />,
            payments: count,
            minor: BigInt(minor),
            currency,
          }))}
        />
      </Disclosure>
    </div>
  )
}

function useBarName(per: SpendByTimeProps['per']): (day: string) => string {
  const locale = useLocale()
  const format = useFormat()
  return (day) => (per === 'month' ? formatMonth(day, locale) : format.time(`${day}T00:00:00Z`, 'date', 'UTC'))
}

interface BarsProps extends Pick<SpendByTimeProps, 'own'> {
  readonly nameOf: (day: string) => string
}

function Bars({ own: { currency, bars }, nameOf }: BarsProps) {
  const format = useFormat()
  const highest = bars.reduce((most, { amount_minor: minor }) => Math.max(most, Number(minor)), 1)
  const [first, last] = [bars[0]?.key ?? '', bars.at(-1)?.key ?? '']
  return (
    <div aria-hidden className="grid gap-1">
      <div className="flex h-32 items-end gap-px border-b border-control sm:gap-1">
        {bars.map(({ key, amount_minor: minor }) => (
          <span
            key={key}
            title={`${nameOf(key ?? '')}: ${format.money(BigInt(minor), currency)}`}
            className="flex-1 rounded-t-sm bg-accent"
            style={{ height: heightOf(minor, highest) }}
          />
        ))}
      </div>
      <p className="flex justify-between gap-4 text-sm text-muted">
        <time dateTime={first}>{nameOf(first)}</time>
        {last === first ? null : <time dateTime={last}>{nameOf(last)}</time>}
      </p>
    </div>
  )
}

/** Returns the height of a bar; a bar above zero is never too low to be seen. */
function heightOf(minor: SpendingBar['amount_minor'], highest: number): string {
  return minor === '0' ? '0' : `${Math.max(2, (Number(minor) / highest) * 100)}%`
}

interface BarNameProps {
  readonly day: string
  readonly name: string
  readonly isLinked: boolean
}

function BarName({ day, name, isLinked }: BarNameProps) {
  const time = <time dateTime={day}>{name}</time>
  return isLinked ? <LineLink href={`/payments${queryOf({ ...noFilter, from: day, to: day })}`}>{time}</LineLink> : time
}

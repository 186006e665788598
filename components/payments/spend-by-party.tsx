'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { CurrencySpending, SpendingView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { plainName } from '@/components/lib/plain-text'
import { AmountTable } from '@/components/ui/amount-table'
import { LineLink } from '@/components/ui/text-link'
import { noFilter, queryOf } from './filter'
import { spendingTexts } from './spending-messages'

interface SpendByPartyProps extends Pick<SpendingView, 'days'> {
  readonly own: CurrencySpending
  readonly per: 'merchant' | 'agent'
}

/** Shows a row for each merchant or agent with its bar, and a link to its payments. */
export function SpendByParty({ own: { currency, bars }, per, days }: SpendByPartyProps) {
  const text = useText(spendingTexts)
  const highest = bars.reduce((most, { amount_minor: minor }) => Math.max(most, Number(minor)), 1)
  const nameOf = (key: string, name: string | null) =>
    per === 'merchant' ? merchantName(name, key) : plainName(name ?? key)
  return (
    <AmountTable
      label={text.table[per](currency)}
      columns={{ name: text.parts[per], payments: text.payments, amount: text.amount }}
      rows={bars.map(({ key, name, count, amount_minor: minor }) => ({
        key: key ?? '',
        name:
          key === null ? (
            text.others[per]
          ) : (
            <LineLink href={`/payments${queryOf({ ...noFilter, ...days, [per]: key })}`}>
              <bdi className="wrap-anywhere">{nameOf(key, name)}</bdi>
            </LineLink>
          ),
        share: Number(minor) / highest,
        payments: count,
        minor: BigInt(minor),
        currency,
      }))}
    />
  )
}

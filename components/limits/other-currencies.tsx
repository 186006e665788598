'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { LimitsView } from '@/components/lib/api-types'
import { Card } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import type { WireCaps } from '@/server/wallet/limits/input'
import { CurrencyForm } from './currency-form'
import { currencyTexts } from './currency-messages'
import type { LimitsDraft } from './limits-draft'
import { NewCurrency } from './new-currency'
import { RemoveCurrency } from './remove-currency'
import type { Removal } from './use-removal'

interface OtherCurrenciesProps {
  readonly limits: LimitsView['limits']
  readonly currencies: LimitsView['currencies']
  readonly removal: Removal
  readonly isAdding: boolean
  readonly onAdded: () => void
  /** Called with each draft; without a currency for the new card. */
  readonly onDraft: (currency: string | null, draft: LimitsDraft) => void
}

/** Shows a folded card for each currency beside the main one, and the card of a new currency. */
export function OtherCurrencies({ limits, currencies, removal, isAdding, onAdded, onDraft }: OtherCurrenciesProps) {
  const text = useText(currencyTexts)
  const sumsOf = useSums()
  const others = Object.entries(limits?.other_currencies ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <>
      {others.map(([currency, caps]) => (
        <Disclosure key={currency} summary={`${currency}: ${sumsOf(currency, caps)}`}>
          <CurrencyForm limits={limits} stored={{ ...caps, currency }} onDraft={(draft) => onDraft(currency, draft)}>
            <RemoveCurrency currency={currency} removal={removal} />
          </CurrencyForm>
        </Disclosure>
      ))}
      {isAdding ? (
        <Card role="group" aria-label={text.newTitle}>
          <NewCurrency
            limits={limits}
            currencies={currencies}
            onDraft={(draft) => onDraft(null, draft)}
            onDone={onAdded}
          />
        </Card>
      ) : null}
    </>
  )
}

/** Returns a function that writes the limits of a currency in one line. */
function useSums(): (currency: string, caps: WireCaps) => string {
  const format = useFormat()
  const { sums } = useText(currencyTexts)
  return (currency, caps) => {
    const all = [
      [sums.day, caps.daily_cap_minor],
      [sums.week, caps.weekly_cap_minor],
      [sums.month, caps.monthly_cap_minor],
      [sums.each, caps.single_txn_cap_minor],
    ] as const
    return all.flatMap(([say, minor]) => (minor === null ? [] : [say(format.money(minor, currency))])).join(', ')
  }
}

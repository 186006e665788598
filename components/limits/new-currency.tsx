'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { paidCurrencies } from '@/components/lib/money'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { capsByCurrency, limitsFromWire } from '@/server/wallet/limits/input'
import { CurrencyForm } from './currency-form'
import { currencyTexts } from './currency-messages'
import { CurrencySelect } from './currency-select'
import type { LimitsDraft } from './limits-draft'
import { limitsTexts } from './messages'

interface NewCurrencyProps {
  readonly limits: LimitsView['limits']
  readonly currencies: LimitsView['currencies']
  readonly onDraft: (draft: LimitsDraft) => void
  readonly onDone: () => void
}

/** The currencies to start with, for a person who has paid in no other. */
const LIKELY = ['USD', 'EUR'] as const

/** Focuses the first field, since the button that opened the card is gone. */
const focusSelect = (element: HTMLElement | null) => element?.querySelector('select')?.focus()

/** The card of a new currency. */
export function NewCurrency({ limits, currencies, onDraft, onDone }: NewCurrencyProps) {
  const { form } = useText(limitsTexts)
  const text = useText(currencyTexts)
  const taken = [...capsByCurrency(limitsFromWire(limits ?? {})).keys()]
  const [first = LIKELY[0]] = [...currencies, ...LIKELY, ...paidCurrencies].filter((code) => !taken.includes(code))
  const [proposed] = useState(first)
  return (
    <CurrencyForm
      limits={limits}
      stored={{ currency: proposed }}
      onDraft={onDraft}
      onSaved={onDone}
      renderHead={(currency, onCurrency) => (
        <div ref={focusSelect} className="col-span-2">
          <Field label={form.currency}>
            <CurrencySelect value={currency} used={currencies} without={taken} onChange={onCurrency} />
          </Field>
        </div>
      )}
    >
      <Button variant="secondary" className="w-fit" onClick={onDone}>
        {text.cancel}
      </Button>
    </CurrencyForm>
  )
}

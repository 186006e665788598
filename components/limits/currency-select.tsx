'use client'

import type { Format } from '@/components/i18n/format'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { paidCurrencies } from '@/components/lib/money'
import { Select } from '@/components/ui/select'
import { limitsTexts } from './messages'

interface CurrencySelectProps {
  readonly value: string
  /** The currencies in use, which are listed first, as is the chosen one. */
  readonly used: readonly string[]
  /** The currencies that are not offered. */
  readonly without: readonly string[]
  readonly onChange: (currency: string) => void
}

export function CurrencySelect({ value, used, without, onChange }: CurrencySelectProps) {
  const { form: text } = useText(limitsTexts)
  const format = useFormat()
  const first = [...new Set([...used, value])].filter((code) => !without.includes(code)).toSorted()
  const others = paidCurrencies.filter((code) => !first.includes(code) && !without.includes(code))
  return (
    <Select value={value} onChange={(event) => onChange(event.target.value)}>
      {[
        { label: text.currenciesInUse, codes: first },
        { label: text.otherCurrencies, codes: others },
      ].map(({ label, codes }) => (
        <optgroup key={label} label={label}>
          {codes.map((code) => (
            // Names of currencies differ slightly between server and browser; either is fine.
            <option key={code} value={code} suppressHydrationWarning>
              {labelOf(code, format)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

function labelOf(code: string, format: Format): string {
  const name = format.currencyName(code)
  return name === code ? code : `${code} – ${name}`
}

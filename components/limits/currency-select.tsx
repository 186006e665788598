'use client'

import { type Format, formatIn } from '@/components/i18n/format'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { paidCurrencies } from '@/components/lib/money'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Select } from '@/components/ui/select'
import { limitsTexts } from './messages'

interface CurrencySelectProps {
  readonly value: string
  /** Currencies in use, which come first, as the chosen one does. */
  readonly used: readonly string[]
  /** Those that are not offered. */
  readonly without: readonly string[]
  readonly onChange: (currency: string) => void
}

export function CurrencySelect({ value, used, without, onChange }: CurrencySelectProps) {
  const { form: text } = useText(limitsTexts)
  const labelOf = useLabel()
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
            <option key={code} value={code}>
              {labelOf(code)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

/** Server and browser know currencies by slightly different names, so names come once the browser has taken over. */
function useLabel(): (code: string) => string {
  const locale = useLocale()
  const hydrated = useHydrated()
  return (code) => (hydrated ? nameOf(code, formatIn(locale)) : code)
}

function nameOf(code: string, format: Format): string {
  const name = format.currencyName(code)
  return name === code ? code : `${code} – ${name}`
}

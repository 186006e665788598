'use client'

import { useMemo } from 'react'
import { type Format, formatIn } from '@/components/i18n/format'
import { useLocale } from '@/components/i18n/locale-provider'
import { currencyCodes } from '@/components/lib/money'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Select } from '@/components/ui/select'

interface CurrencySelectProps {
  readonly value: string
  readonly onChange: (currency: string) => void
}

export function CurrencySelect({ value, onChange }: CurrencySelectProps) {
  const locale = useLocale()
  const hydrated = useHydrated()
  // Server and browser know currencies by slightly different names.
  const options = useMemo(
    () => currencyCodes.map((code) => ({ code, label: hydrated ? labelOf(code, formatIn(locale)) : code })),
    [hydrated, locale],
  )
  return (
    <Select value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(({ code, label }) => (
        <option key={code} value={code}>
          {label}
        </option>
      ))}
    </Select>
  )
}

function labelOf(code: string, format: Format): string {
  const name = format.currencyName(code)
  return name === code ? code : `${code} – ${name}`
}

'use client'

import { useMemo } from 'react'
import { currencyCodes, currencyName } from '@/components/lib/money'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Select } from '@/components/ui/select'

interface CurrencySelectProps {
  readonly value: string
  readonly onChange: (currency: string) => void
}

export function CurrencySelect({ value, onChange }: CurrencySelectProps) {
  const hydrated = useHydrated()
  // Server and browser know currencies by slightly different names.
  const options = useMemo(
    () => currencyCodes.map((code) => ({ code, label: hydrated ? labelOf(code) : code })),
    [hydrated],
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

function labelOf(code: string): string {
  const name = currencyName(code)
  return name === code ? code : `${code} – ${name}`
}

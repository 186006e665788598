'use client'

import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'

export interface Party {
  readonly value: string
  readonly name: string
}

interface PartySelectProps {
  readonly label: string
  /** The label of the option that selects no party. */
  readonly any: string
  readonly parties: readonly Party[]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Selects one of the parties that have payments; also offers the one that the address names without payments. */
export function PartySelect({ label, any, parties, value, onChange }: PartySelectProps) {
  const isListed = value === '' || parties.some((party) => party.value === value)
  return (
    <Field label={label}>
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{any}</option>
        {isListed ? null : <option value={value}>{value}</option>}
        {parties.map((party) => (
          <option key={party.value} value={party.value}>
            {party.name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

'use client'

import { useHydrated } from '@/components/lib/use-hydrated'
import { Select } from '@/components/ui/select'
import { DEFAULT_TIME_ZONE } from '@/server/wallet/limits/input'

interface TimeZoneSelectProps {
  readonly value: string
  readonly onChange: (timeZone: string) => void
}

/** Offers the browser's time zones. The server's list differs slightly, so the first paint has only the chosen one. */
export function TimeZoneSelect({ value, onChange }: TimeZoneSelectProps) {
  const hydrated = useHydrated()
  const known = hydrated ? Intl.supportedValuesOf('timeZone') : []
  const zones = [...new Set([DEFAULT_TIME_ZONE, value, ...known])]
  return (
    <Select value={value} onChange={(event) => onChange(event.target.value)}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </Select>
  )
}

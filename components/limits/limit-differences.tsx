'use client'

import { ArrowDown, ArrowLeftRight, ArrowUp } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { Badge } from '@/components/ui/badge'
import { Change } from '@/components/ui/change'
import {
  compareLimits,
  type LimitDifference,
  limitsFromWire,
  NO_WIRE_LIMITS,
  type WireLimits,
} from '@/server/wallet/limits/input'
import { useWindowLabel } from './limit-meters'
import { limitsTexts } from './messages'

const looks = {
  looser: { icon: ArrowUp, tone: 'warning' },
  stricter: { icon: ArrowDown, tone: 'success' },
  other_currency: { icon: ArrowLeftRight, tone: 'warning' },
} as const

/** What differs between limits, by the rule that decides what a raise is. */
export function differencesOf(before: WireLimits | null, after: WireLimits | null): LimitDifference[] {
  return compareLimits(limitsFromWire(before ?? NO_WIRE_LIMITS), limitsFromWire(after ?? NO_WIRE_LIMITS))
}

interface LimitDifferencesProps {
  readonly before: WireLimits | null
  readonly after: WireLimits | null
}

/** Each limit that changes, old and new, and whether that allows more or less. */
export function LimitDifferences({ before, after }: LimitDifferencesProps) {
  const text = useText(limitsTexts).differences
  const valueOf = useLimitValue()
  const differences = differencesOf(before, after)
  if (differences.length === 0) return <p className="text-muted">{text.same}</p>
  return (
    <ul aria-label={text.label} className="grid gap-3">
      {differences.filter(isTold).map(({ field, effect }) => (
        <li key={field} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1">
          <span className="text-sm text-muted">{text.field[field]}</span>
          <Badge icon={looks[effect].icon} tone={looks[effect].tone}>
            {text.effect[effect]}
          </Badge>
          <Change
            from={valueOf(field, before)}
            to={valueOf(field, after)}
            becomes={text.becomes}
            className="col-span-2 font-medium text-ink"
          />
        </li>
      ))}
    </ul>
  )
}

/** A first or a last cap brings the currency along, and says it in its amount. */
const isTold = ({ field, effect }: LimitDifference) => field !== 'currency' || effect === 'other_currency'

/** One limit in words. */
function useLimitValue(): (field: LimitDifference['field'], limits: WireLimits | null) => string {
  const format = useFormat()
  const windowLabel = useWindowLabel()
  const { differences: text, meters } = useText(limitsTexts)
  return (field, limits) => {
    const known = limits ?? NO_WIRE_LIMITS
    const money = (minor: number | null) =>
      minor === null || known.currency === null ? meters.noLimit : format.money(minor, known.currency)
    if (field === 'daily_cap') return money(known.daily_cap_minor)
    if (field === 'single_txn_cap') return money(known.single_txn_cap_minor)
    if (field === 'currency') return known.currency ?? meters.noLimit
    const { velocity_count: count, velocity_window_seconds: seconds } = known
    return count === null || seconds === null ? meters.noLimit : text.velocity(count, windowLabel(seconds))
  }
}

'use client'

import { ArrowDown, ArrowLeftRight, ArrowUp } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { Badge } from '@/components/ui/badge'
import { Change } from '@/components/ui/change'
import {
  capsByCurrency,
  compareLimits,
  DEFAULT_TIME_ZONE,
  type LimitDifference,
  limitsFromWire,
  limitsIn,
  limitsToWire,
  type RecordedLimits,
} from '@/server/wallet/limits/input'
import { useWindowLabel } from './limit-meters'
import { limitsTexts } from './messages'

const looks = {
  looser: { icon: ArrowUp, tone: 'warning' },
  stricter: { icon: ArrowDown, tone: 'success' },
  other_currency: { icon: ArrowLeftRight, tone: 'warning' },
} as const

interface LimitDifferencesProps {
  readonly before: RecordedLimits | null
  readonly after: RecordedLimits | null
}

/** Lists the changed limits, old and new, and whether each change allows more or less. */
export function LimitDifferences({ before, after }: LimitDifferencesProps) {
  const text = useText(limitsTexts).differences
  const valueOf = useLimitValue()
  const differences = compareLimits(limitsFromWire(before ?? {}), limitsFromWire(after ?? {}))
  if (differences.length === 0) return <p className="text-muted">{text.same}</p>
  return (
    <ul aria-label={text.label} className="grid gap-3">
      {differences.filter(isTold).map(({ field, effect, currency }) => (
        <li
          key={`${field} ${currency ?? ''}`}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1"
        >
          <span className="text-sm text-muted">
            {currency === undefined ? text.field[field] : `${text.field[field]}, ${currency}`}
          </span>
          <Badge icon={looks[effect].icon} tone={looks[effect].tone}>
            {text.effect[effect]}
          </Badge>
          <Change
            from={valueOf(field, inCurrency(before, currency))}
            to={valueOf(field, inCurrency(after, currency))}
            becomes={text.becomes}
            className="col-span-2 font-medium text-ink"
          />
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns whether to list a difference. A currency that comes with a first limit or goes with a last one is not listed,
 * since its amount shows it.
 */
const isTold = ({ field, effect }: LimitDifference) => field !== 'currency' || effect === 'other_currency'

/**
 * Returns the limits of one currency, or `refused` when its payments are refused because only other currencies have
 * limits.
 */
function inCurrency(limits: RecordedLimits | null, currency: string | undefined): RecordedLimits | null | 'refused' {
  if (currency === undefined || limits === null) return limits
  const all = limitsFromWire(limits)
  const isRefused = capsByCurrency(all).size > 0 && !capsByCurrency(all).has(currency)
  return isRefused ? 'refused' : limitsToWire(limitsIn(all, currency))
}

/** Returns a function that puts one limit into words. */
function useLimitValue(): (field: LimitDifference['field'], limits: RecordedLimits | null | 'refused') => string {
  const format = useFormat()
  const windowLabel = useWindowLabel()
  const { differences: text, meters } = useText(limitsTexts)
  return (field, limits) => {
    if (limits === 'refused') return text.refused
    const known = limitsFromWire(limits ?? {})
    const money = (minor: number | null) =>
      minor === null || known.currency === null ? meters.noLimit : format.money(minor, known.currency)
    const { velocityCount: count, velocityWindowSeconds: seconds } = known
    const values: Readonly<Record<LimitDifference['field'], string>> = {
      daily_cap: money(known.dailyCapMinor),
      weekly_cap: money(known.weeklyCapMinor),
      monthly_cap: money(known.monthlyCapMinor),
      single_txn_cap: money(known.singleTxnCapMinor),
      currency: known.currency ?? meters.noLimit,
      velocity: count === null || seconds === null ? meters.noLimit : text.velocity(count, windowLabel(seconds)),
      time_zone: known.timeZone ?? DEFAULT_TIME_ZONE,
    }
    return values[field]
  }
}

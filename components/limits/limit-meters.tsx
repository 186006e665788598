'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { LimitsView } from '@/components/lib/api-types'

import { Card } from '@/components/ui/card'
import { Meter } from '@/components/ui/meter'
import { Moment } from '@/components/ui/moment'
import { limitsTexts } from './messages'

interface LimitMetersProps {
  readonly limits: NonNullable<LimitsView['limits']>
  readonly usage: LimitsView['usage']
}

/** Whether anything is limited at all. */
export function hasLimits(limits: LimitsView['limits']): boolean {
  if (limits === null) return false
  return [limits.daily_cap_minor, limits.single_txn_cap_minor, limits.velocity_count].some((limit) => limit !== null)
}

/** Each limit with what is used of it and when it resets; an absent limit is named as such. */
export function LimitMeters({ limits, usage }: LimitMetersProps) {
  const format = useFormat()
  const text = useText(limitsTexts).meters
  const { currency, daily_cap_minor: daily, single_txn_cap_minor: single } = limits
  return (
    <Card className="grid gap-6">
      {daily === null || currency === null ? (
        <Unlimited label={text.today} />
      ) : (
        <TodayMeter cap={daily} currency={currency} used={usage?.used_today_minor ?? 0} resetsAt={usage?.resets_at} />
      )}
      {single === null || currency === null ? (
        <Unlimited label={text.perPayment} />
      ) : (
        <Line label={text.perPayment} value={text.upTo(format.money(single, currency))} />
      )}
      <CountMeter limits={limits} used={usage?.recent_count ?? 0} />
    </Card>
  )
}

interface TodayMeterProps {
  readonly cap: number
  readonly currency: string
  readonly used: number
  readonly resetsAt?: string | undefined
}

function TodayMeter({ cap, currency, used, resetsAt }: TodayMeterProps) {
  const format = useFormat()
  const text = useText(limitsTexts).meters
  return (
    <Meter
      label={`${text.today}, ${currency}`}
      value={used}
      max={cap}
      text={text.used(format.money(used, currency), format.money(cap, currency))}
      detail={
        <>
          {text.left(format.money(Math.max(0, cap - used), currency))}
          {resetsAt === undefined ? null : (
            <>
              {' '}
              {text.resets} <Moment at={resetsAt} />.
            </>
          )}
        </>
      }
    />
  )
}

function CountMeter({ limits, used }: { readonly limits: LimitMetersProps['limits']; readonly used: number }) {
  const text = useText(limitsTexts).meters
  const windowLabel = useWindowLabel()
  const { velocity_count: count, velocity_window_seconds: seconds } = limits
  if (count === null || seconds === null) return <Unlimited label={text.count} />
  return (
    <Meter
      label={text.count}
      value={used}
      max={count}
      text={text.countUsed(used, count)}
      detail={text.window(windowLabel(seconds))}
    />
  )
}

/** A length of time in the words of the form, or in figures when the form does not offer it. */
export function useWindowLabel(): (seconds: number) => string {
  const format = useFormat()
  const { windows } = useText(limitsTexts)
  return (seconds) => windows.find((window) => window.seconds === seconds)?.label ?? format.duration(seconds)
}

function Unlimited({ label }: { readonly label: string }) {
  const text = useText(limitsTexts).meters
  return <Line label={label} value={text.noLimit} />
}

function Line({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <p className="flex flex-wrap justify-between gap-x-4">
      <span className="font-medium">{label}</span>
      <span className="tabular-nums">{value}</span>
    </p>
  )
}

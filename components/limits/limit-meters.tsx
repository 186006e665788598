'use client'

import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { AgentView, LimitsView } from '@/components/lib/api-types'
import { Card } from '@/components/ui/card'
import { Meter } from '@/components/ui/meter'
import { Moment } from '@/components/ui/moment'
import { limitsTexts } from './messages'

interface LimitMetersProps {
  readonly limits: NonNullable<AgentView['limits']>
  readonly usage: LimitsView['usage']
}

/** Returns whether any limit is set. */
export function hasLimits(limits: AgentView['limits']): boolean {
  if (limits === null) return false
  const { daily_cap_minor, weekly_cap_minor, monthly_cap_minor, single_txn_cap_minor, velocity_count } = limits
  const all = [daily_cap_minor, weekly_cap_minor, monthly_cap_minor, single_txn_cap_minor, velocity_count]
  const isSeveral = 'other_currencies' in limits && limits.other_currencies != null
  return isSeveral || all.some((limit) => limit !== null)
}

/**
 * Shows each limit with its use and when it begins again. A missing limit per day or payment is mentioned; those of
 * further currencies follow where they are set.
 */
export function LimitMeters({
  limits,
  usage,
  others = [],
}: LimitMetersProps & { readonly others?: readonly LimitMetersProps[] }) {
  const format = useFormat()
  const text = useText(limitsTexts).meters
  const { currency, single_txn_cap_minor: single } = limits
  return (
    <Card className="grid gap-3 sm:gap-4">
      <TodayMeter limits={limits} usage={usage} />
      <LongerMeters limits={limits} usage={usage} />
      {single === null || currency === null ? (
        <Unlimited label={text.perPayment} />
      ) : (
        <Line label={text.perPayment} value={text.upTo(format.money(single, currency))} />
      )}
      <CountMeter limits={limits} used={usage?.recent_count ?? 0} />
      {others.map((other) => (
        <CurrencyMeters key={other.limits.currency} {...other} />
      ))}
    </Card>
  )
}

/** Shows the limits of one further currency. */
function CurrencyMeters({ limits, usage }: LimitMetersProps) {
  const format = useFormat()
  const text = useText(limitsTexts).meters
  const { currency, daily_cap_minor: daily, single_txn_cap_minor: single } = limits
  return (
    <>
      {daily === null ? null : <TodayMeter limits={limits} usage={usage} />}
      <LongerMeters limits={limits} usage={usage} />
      {single === null || currency === null ? null : (
        <Line label={`${text.perPayment}, ${currency}`} value={text.upTo(format.money(single, currency))} />
      )}
    </>
  )
}

function TodayMeter({ limits, usage }: LimitMetersProps) {
  const text = useText(limitsTexts).meters
  const { currency, daily_cap_minor: cap } = limits
  if (cap === null || currency === null) return <Unlimited label={text.today} />
  return (
    <CapMeter label={text.today} cap={cap} currency={currency} used={usage?.used_today_minor ?? 0}>
      {usage === null ? null : (
        <>
          {text.turnsAt} <Moment at={usage.resets_at} style="time" /> {text.midnightUtc}
        </>
      )}
    </CapMeter>
  )
}

/** Shows the limits per week and month, where they are set. */
function LongerMeters({ limits, usage }: LimitMetersProps) {
  const text = useText(limitsTexts).meters
  const { currency, weekly_cap_minor: weekly, monthly_cap_minor: monthly } = limits
  if (currency === null || usage === null) return null
  return (
    <>
      {weekly === null ? null : (
        <CapMeter label={text.week} cap={weekly} currency={currency} used={usage.used_this_week_minor}>
          {text.turnsOn} <Moment at={usage.week_resets_at} /> {text.yourTime}
        </CapMeter>
      )}
      {monthly === null ? null : (
        <CapMeter label={text.month} cap={monthly} currency={currency} used={usage.used_this_month_minor}>
          {text.turnsOn} <Moment at={usage.month_resets_at} /> {text.yourTime}
        </CapMeter>
      )}
    </>
  )
}

interface CapMeterProps {
  readonly label: string
  readonly cap: number
  readonly currency: string
  readonly used: number
  /** When the limit begins again. */
  readonly children: ReactNode
}

function CapMeter({ label, cap, currency, used, children }: CapMeterProps) {
  const format = useFormat()
  const text = useText(limitsTexts).meters
  return (
    <Meter
      label={`${label}, ${currency}`}
      value={used}
      max={cap}
      text={text.used(format.money(used, currency), format.money(cap, currency))}
      detail={
        <>
          {text.left(format.money(Math.max(0, cap - used), currency))} {children}
        </>
      }
    />
  )
}

function CountMeter({ limits, used }: { readonly limits: LimitMetersProps['limits']; readonly used: number }) {
  const text = useText(limitsTexts).meters
  const windowLabel = useWindowLabel()
  const { velocity_count: count, velocity_window_seconds: seconds } = limits
  if (count === null || seconds === null) return null
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

/**
 * Returns a function that writes a duration in the words of the form, or in figures when the form does not offer it.
 */
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

import type { LimitsView } from '@/components/lib/api-types'
import { formatMoney } from '@/components/lib/money'
import { formatDuration } from '@/components/lib/time'
import { Card } from '@/components/ui/card'
import { Meter } from '@/components/ui/meter'
import { Moment } from '@/components/ui/moment'
import { limitsText } from './messages'

const text = limitsText.meters

interface LimitMetersProps {
  readonly limits: NonNullable<LimitsView['limits']>
  readonly usage: LimitsView['usage']
}

/** Each limit with what is used of it and when it starts afresh; what is unlimited says so. */
export function LimitMeters({ limits, usage }: LimitMetersProps) {
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
        <Line label={text.perPayment} value={text.upTo(formatMoney(single, currency))} />
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
  return (
    <Meter
      label={`${text.today}, ${currency}`}
      value={used}
      max={cap}
      text={text.used(formatMoney(used, currency), formatMoney(cap, currency))}
      detail={
        <>
          {text.left(formatMoney(Math.max(0, cap - used), currency))}
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

export function windowLabel(seconds: number): string {
  return limitsText.windows.find((window) => window.seconds === seconds)?.label ?? formatDuration(seconds)
}

function Unlimited({ label }: { readonly label: string }) {
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

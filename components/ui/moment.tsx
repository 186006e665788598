'use client'

import { useClock } from '@/components/i18n/clock'
import { useFormat } from '@/components/i18n/use-format'

interface MomentProps {
  readonly at: string
  readonly style?: 'date' | 'time' | 'moment' | 'long'
}

/** Shows an instant in the reader's time zone. */
export function Moment({ at, style = 'moment' }: MomentProps) {
  const format = useFormat()
  return (
    <time dateTime={at} title={format.time(at, 'full')} className="whitespace-nowrap tabular-nums">
      {format.time(at, style)}
    </time>
  )
}

/** Shows how long ago an instant was, for instance "5 minutes ago", and the date after a week. */
export function Ago({ at }: { readonly at: string }) {
  const format = useFormat()
  const ago = useClock((now) => format.ago(at, now))
  if (ago === null) return <Moment at={at} style="date" />
  return (
    <time dateTime={at} title={format.time(at, 'full')}>
      {ago}
    </time>
  )
}

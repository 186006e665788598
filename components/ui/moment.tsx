'use client'

import { useFormat } from '@/components/i18n/use-format'
import { useHydrated } from '@/components/lib/use-hydrated'
import { useNow } from '@/components/lib/use-now'

interface MomentProps {
  readonly at: string
  readonly style?: 'date' | 'time' | 'moment' | 'long'
}

/** An instant in the reader's time zone. The server cannot know it, so the first paint is in UTC. */
export function Moment({ at, style = 'moment' }: MomentProps) {
  const format = useFormat()
  const hydrated = useHydrated()
  const zone = hydrated ? undefined : 'UTC'
  return (
    <time dateTime={at} title={format.time(at, 'full', zone)} className="whitespace-nowrap tabular-nums">
      {format.time(at, style, zone)}
    </time>
  )
}

/** "5 minutes ago", and the date once that is longer ago than a week. */
export function Ago({ at }: { readonly at: string }) {
  const format = useFormat()
  const now = useNow()
  const text = now === null ? null : format.ago(at, now)
  if (text === null) return <Moment at={at} style="date" />
  return (
    <time dateTime={at} title={format.time(at, 'full')}>
      {text}
    </time>
  )
}

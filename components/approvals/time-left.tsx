'use client'

import { useFormat } from '@/components/i18n/use-format'
import { useNow } from '@/components/lib/use-now'

interface TimeLeftProps {
  readonly until: string
}

/** Counts down for the eye only; a screen reader hears it when it reads the line, not each time that it changes. */
export function TimeLeft({ until }: TimeLeftProps) {
  const format = useFormat()
  const now = useNow()
  if (now === null) return <span className="tabular-nums">…</span>
  return (
    <span className="whitespace-nowrap tabular-nums">{format.timeLeft((new Date(until).getTime() - now) / 1000)}</span>
  )
}

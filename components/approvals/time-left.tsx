'use client'

import { useFormat } from '@/components/i18n/use-format'

import { useNow } from '@/components/lib/use-now'

interface TimeLeftProps {
  readonly until: string
}

/** The seconds count down for the eye only; a screen reader hears them when it reads the line, not every second. */
export function TimeLeft({ until }: TimeLeftProps) {
  const format = useFormat()
  const now = useNow()
  if (now === null) return <span className="tabular-nums">…</span>
  return (
    <span className="whitespace-nowrap tabular-nums">{format.duration((new Date(until).getTime() - now) / 1000)}</span>
  )
}

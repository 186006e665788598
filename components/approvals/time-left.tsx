'use client'

import { useClock } from '@/components/i18n/clock'
import { useFormat } from '@/components/i18n/use-format'

interface TimeLeftProps {
  readonly until: string
}

/** Counts down for the eye only; a screen reader hears it when it reads the line, not each time that it changes. */
export function TimeLeft({ until }: TimeLeftProps) {
  const format = useFormat()
  const left = useClock((now) => format.timeLeft((new Date(until).getTime() - now) / 1000))
  return <span className="whitespace-nowrap tabular-nums">{left}</span>
}

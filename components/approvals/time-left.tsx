'use client'

import { useClock } from '@/components/i18n/clock'
import { useFormat } from '@/components/i18n/use-format'

interface TimeLeftProps {
  readonly until: string
}

/** Counts down visually; a screen reader reads the time with the line, and does not announce each change. */
export function TimeLeft({ until }: TimeLeftProps) {
  return <span className="whitespace-nowrap tabular-nums">{useTimeLeft(until)}</span>
}

export function useTimeLeft(until: string): string {
  const format = useFormat()
  return useClock((now) => format.timeLeft((new Date(until).getTime() - now) / 1000))
}

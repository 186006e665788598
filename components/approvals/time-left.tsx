'use client'

import { useClock } from '@/components/i18n/clock'
import { useFormat } from '@/components/i18n/use-format'

interface TimeLeftProps {
  readonly until: string
}

/** Counts down for the eye only; a screen reader hears it when it reads the line, not each time that it changes. */
export function TimeLeft({ until }: TimeLeftProps) {
  return <span className="whitespace-nowrap tabular-nums">{useTimeLeft(until)}</span>
}

export function useTimeLeft(until: string): string {
  const format = useFormat()
  return useClock((now) => format.timeLeft((new Date(until).getTime() - now) / 1000))
}

'use client'

import { createContext, type ReactNode, startTransition, use, useEffect, useState, useSyncExternalStore } from 'react'
import { rememberChoice } from '@/components/lib/remember'
import { TIME_ZONE_COOKIE } from './format'

interface Clock {
  /** The zone in which times are written, as in the IANA database. */
  readonly timeZone: string
  /** When the server wrote the page, in milliseconds: until the browser takes over, the page says what was so then. */
  readonly renderedAt: number
}

const ClockContext = createContext<Clock>({ timeZone: 'UTC', renderedAt: 0 })

/**
 * Gives everything below it the reader's clock. The server knows the zone from the reader's last visit; where that was
 * another, or none, the browser's own takes over once the page works.
 */
export function ClockProvider({ timeZone, renderedAt, children }: Clock & { readonly children: ReactNode }) {
  const [clock, setClock] = useState<Clock>({ timeZone, renderedAt })
  useEffect(() => {
    const compare = () => {
      const { timeZone: own } = Intl.DateTimeFormat().resolvedOptions()
      if (own === timeZone) return
      rememberChoice(TIME_ZONE_COOKIE, own)
      startTransition(() => setClock((known) => ({ ...known, timeZone: own })))
    }
    // Asking is slow the first time, and the page comes first.
    const soon = setTimeout(compare)
    return () => clearTimeout(soon)
  }, [timeZone])
  return <ClockContext value={clock}>{children}</ClockContext>
}

export const useTimeZone = (): string => use(ClockContext).timeZone

/** What `select` makes of the time, in milliseconds, to the second. Renders again only when that becomes another. */
export function useClock<T extends string | number | boolean | null>(select: (now: number) => T): T {
  const { renderedAt } = use(ClockContext)
  return useSyncExternalStore(
    subscribe,
    () => select(read()),
    () => select(renderedAt),
  )
}

/** Whether an instant has come. */
export const useIsPast = (instant: string): boolean => useClock((now) => Date.parse(instant) <= now)

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function read(): number {
  // Between ticks the value must not move, or React would render for ever.
  if (timer === undefined || now === 0) now = Math.floor(Date.now() / 1000) * 1000
  return now
}

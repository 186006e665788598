'use client'

import { createContext, type ReactNode, startTransition, use, useEffect, useState, useSyncExternalStore } from 'react'
import { rememberChoice } from '@/components/lib/remember'
import { TIME_ZONE_COOKIE } from './format'

interface Clock {
  /** The zone in which times are written, as in the IANA database. */
  readonly timeZone: string
  /**
   * When the server rendered the page, in milliseconds. Until the browser takes over, the page shows times as of then.
   */
  readonly renderedAt: number
}

const ClockContext = createContext<Clock>({ timeZone: 'UTC', renderedAt: 0 })

/**
 * Provides the reader's clock. The server knows the time zone from the reader's last visit; where that was another one,
 * or unknown, the browser's own replaces it once the page works.
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
    // Reading the time zone is slow the first time, so the page is drawn before.
    const soon = setTimeout(compare)
    return () => clearTimeout(soon)
  }, [timeZone])
  return <ClockContext value={clock}>{children}</ClockContext>
}

export const useTimeZone = (): string => use(ClockContext).timeZone

/**
 * Returns what `select` returns for the time, in milliseconds, to the second. Renders again only when that value
 * changes.
 */
export function useClock<T extends string | number | boolean | null>(select: (now: number) => T): T {
  const { renderedAt } = use(ClockContext)
  return useSyncExternalStore(
    subscribe,
    () => select(read()),
    () => select(renderedAt),
  )
}

/** Returns whether an instant is in the past. */
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
  // Between ticks the value must stay the same, or React would render endlessly.
  if (timer === undefined || now === 0) now = Math.floor(Date.now() / 1000) * 1000
  return now
}

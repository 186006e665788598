import { useSyncExternalStore } from 'react'

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

/** The time to the second, the same for everything on the page; null until the browser has taken over. */
export function useNow(): number | null {
  return useSyncExternalStore<number | null>(subscribe, read, () => null)
}

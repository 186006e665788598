import { PASSIVE_HEADER } from '@/server/base/contract/request-headers'

/** After this long without touch or key, the page works by itself. */
const PRESENT_MILLISECONDS = 60_000

const EVENTS = ['pointerdown', 'keydown', 'scroll']
const OPTIONS = { capture: true, passive: true }

let lastInput = 0
/** By the clock, which goes on while the computer sleeps. Opening the page is use; on the server no page lies unused. */
let lastUse = typeof window === 'undefined' ? Number.POSITIVE_INFINITY : Date.now()

/**
 * Marks requests that the page makes by itself, such as reading again after a change: were they to count as use, a
 * session in a forgotten tab would never idle out.
 */
export function passiveHeaders(): Record<string, string> {
  return performance.now() - lastInput > PRESENT_MILLISECONDS ? { [PASSIVE_HEADER]: '1' } : {}
}

/** For how many milliseconds nobody has used this page. */
export const unusedFor = (now = Date.now()): number => now - lastUse

/** The page has just counted as use of the session, although nobody touched it. */
export function noteUse(): void {
  lastUse = Date.now()
}

/** Begins to notice touches and keys; a person who has just opened the page counts as present. Returns what ends it. */
export function watchPresence(): () => void {
  noteInput()
  for (const event of EVENTS) window.addEventListener(event, noteInput, OPTIONS)
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, noteInput, OPTIONS)
  }
}

function noteInput(): void {
  lastInput = performance.now()
  noteUse()
}

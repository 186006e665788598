import { PASSIVE_HEADER, PERSON_HEADER } from '@/server/base/contract/request-headers'

/** After this long without touch or key, requests no longer count as use of the session. */
const PRESENT_MILLISECONDS = 60_000

const EVENTS = ['pointerdown', 'keydown', 'scroll']
const OPTIONS = { capture: true, passive: true }

let person: string | undefined
let lastInput = 0
/**
 * When the page was last used, by the wall clock, which continues while the computer sleeps. Opening the page is use;
 * on the server a page is never unused.
 */
let lastUse = typeof window === 'undefined' ? Number.POSITIVE_INFINITY : Date.now()

/**
 * Returns the headers that name the person whose page it is, so that a tab that slept while another person signed in
 * cannot act as that person, and that mark requests which the page makes without its user, so that a forgotten tab does
 * not keep its session alive.
 */
export function presenceHeaders(): Record<string, string> {
  const isAbsent = performance.now() - lastInput > PRESENT_MILLISECONDS
  return { ...(person && { [PERSON_HEADER]: person }), ...(isAbsent && { [PASSIVE_HEADER]: '1' }) }
}

/** Returns for how many milliseconds the page has not been used. */
export const unusedFor = (now = Date.now()): number => now - lastUse

/** Notes that the page has just counted as use of the session without any input. */
export function noteUse(): void {
  lastUse = Date.now()
}

/** Starts to watch the person's touches and keys; opening the page counts as one. Returns a function that stops it. */
export function watchPresence(principalId: string): () => void {
  person = principalId
  noteInput()
  for (const event of EVENTS) window.addEventListener(event, noteInput, OPTIONS)
  return () => {
    person = undefined
    for (const event of EVENTS) window.removeEventListener(event, noteInput, OPTIONS)
  }
}

function noteInput(): void {
  lastInput = performance.now()
  noteUse()
}

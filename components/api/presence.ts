import { PASSIVE_HEADER } from '@/server/base/contract/request-headers'
import { SESSION_IDLE_SECONDS } from '../../server/identity/sessions/input'

/** After this long without touch or key, the page works by itself. */
const PRESENT_MILLISECONDS = 60_000
/** A minute before a session that nobody uses ends. */
const WARNING_MILLISECONDS = SESSION_IDLE_SECONDS * 1_000 - 60_000

let lastInput = 0
/** By the clock, which goes on while the computer sleeps. Opening the page is use. */
let lastUse = Date.now()

/**
 * Marks requests that the page makes by itself, such as reading again after a change: were they to count as use, a
 * session in a forgotten tab would never idle out.
 */
export function passiveHeaders(): Record<string, string> {
  return performance.now() - lastInput > PRESENT_MILLISECONDS ? { [PASSIVE_HEADER]: '1' } : {}
}

/** Whether the session is about to end because nobody has used this page for so long. */
export function isAboutToIdleOut(): boolean {
  return Date.now() - lastUse > WARNING_MILLISECONDS
}

/** Whether this page has not been used for as long as a session lasts without use. */
export function hasIdledOut(): boolean {
  return Date.now() - lastUse >= SESSION_IDLE_SECONDS * 1_000
}

/** The page has just counted as use of the session, although nobody touched it. */
export function noteUse(): void {
  lastUse = Date.now()
}

/** Begins to notice touches and keys; a person who has just opened the page counts as present. Returns what ends it. */
export function watchPresence(): () => void {
  const watching = new AbortController()
  const options = { capture: true, passive: true, signal: watching.signal }
  noteInput()
  for (const event of ['pointerdown', 'keydown', 'scroll']) window.addEventListener(event, noteInput, options)
  return () => watching.abort()
}

function noteInput(): void {
  lastInput = performance.now()
  noteUse()
}

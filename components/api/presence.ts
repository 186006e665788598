import { PASSIVE_HEADER } from '@/server/base/contract/request-headers'
import { SESSION_IDLE_SECONDS } from '../../server/identity/sessions/input'

/** After this long without touch or key, the page works by itself. */
const PRESENT_MILLISECONDS = 60_000
/** A minute before a session that nobody uses ends. */
const WARNING_MILLISECONDS = SESSION_IDLE_SECONDS * 1_000 - 60_000

let lastInput = 0
let typedOn: string | null = null

/**
 * Marks requests that the page makes by itself, such as reading again after a change: were they to count as use, a
 * session in a forgotten tab would never idle out.
 */
export function passiveHeaders(): Record<string, string> {
  return performance.now() - lastInput > PRESENT_MILLISECONDS ? { [PASSIVE_HEADER]: '1' } : {}
}

/** Whether the session is about to end because nobody has used this page for so long. */
export function isAboutToIdleOut(): boolean {
  return performance.now() - lastInput > WARNING_MILLISECONDS
}

/** Whether somebody has entered anything on the page that is open, which would be lost with it. */
export function hasEntered(): boolean {
  return typedOn === window.location.pathname
}

/** Begins to notice touches, keys and entries; a person who has just opened the page counts as present. Returns what ends it. */
export function watchPresence(): () => void {
  const watching = new AbortController()
  const options = { capture: true, passive: true, signal: watching.signal }
  noteInput()
  for (const event of ['pointerdown', 'keydown', 'scroll']) window.addEventListener(event, noteInput, options)
  window.addEventListener('input', noteEntry, options)
  return () => watching.abort()
}

function noteInput(): void {
  lastInput = performance.now()
}

function noteEntry(): void {
  typedOn = window.location.pathname
}

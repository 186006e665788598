import { PASSIVE_HEADER, PERSON_HEADER } from '@/server/base/contract/request-headers'

/** After this long without touch or key, the page works by itself. */
const PRESENT_MILLISECONDS = 60_000

const EVENTS = ['pointerdown', 'keydown', 'scroll']
const OPTIONS = { capture: true, passive: true }

let person: string | undefined
let lastInput = 0
/** By the clock, which goes on while the computer sleeps. Opening the page is use; on the server no page lies unused. */
let lastUse = typeof window === 'undefined' ? Number.POSITIVE_INFINITY : Date.now()

/**
 * Says whose page it is: a tab that slept while another person signed in must not go on as that person. And marks requests
 * that the page makes by itself, such as reading again after a change: were they to count as use, a session in a forgotten
 * tab would never idle out.
 */
export function presenceHeaders(): Record<string, string> {
  const isAbsent = performance.now() - lastInput > PRESENT_MILLISECONDS
  return { ...(person && { [PERSON_HEADER]: person }), ...(isAbsent && { [PASSIVE_HEADER]: '1' }) }
}

/** For how many milliseconds nobody has used this page. */
export const unusedFor = (now = Date.now()): number => now - lastUse

/** The page has just counted as use of the session, although nobody touched it. */
export function noteUse(): void {
  lastUse = Date.now()
}

/** Begins to notice touches and keys of the person; who has just opened the page counts as present. Returns what ends it. */
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

import { PASSIVE_HEADER } from './request-headers'

/** After this long without touch or key, the page works by itself. */
const PRESENT_MILLISECONDS = 60_000

let lastInput = 0

/**
 * Marks requests that the page makes by itself, such as reading again after a change: were they to count as use, a
 * session in a forgotten tab would never idle out.
 */
export function passiveHeaders(): Record<string, string> {
  watchInput()
  return performance.now() - lastInput > PRESENT_MILLISECONDS ? { [PASSIVE_HEADER]: '1' } : {}
}

let watching = false

function watchInput(): void {
  if (watching || typeof window === 'undefined') return
  watching = true
  // Whoever has just opened the page is there.
  noteInput()
  for (const event of ['pointerdown', 'keydown', 'scroll']) {
    window.addEventListener(event, noteInput, { capture: true, passive: true })
  }
}

function noteInput(): void {
  lastInput = performance.now()
}

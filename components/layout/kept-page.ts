import { unusedFor } from '@/components/api/client'
import { type Control, changeOf, typedControls, typeInto } from '@/components/lib/typed-controls'
import { AFTER_SIGN_IN, signInAgainPath, signInPath } from '@/server/base/core/sign-in-input'
import { readEnd, SESSION_IDLE_SECONDS, type SessionEnd } from '@/server/identity/sessions/input'
import type { RefusalData } from '@/server/transport/trpc/refusal'

/** The storage key for what was typed on a page that was left to sign in. The text never leaves the tab. */
const KEY = 'countersign.kept-page'
const KEPT_MILLISECONDS = 60 * 60_000

/** A field, by its label and the number of fields with that label before it. */
interface KeptField {
  readonly label: string
  readonly place: number
  readonly value: string
}

interface KeptPage {
  /** The person whose page it was; it is shown to no other. */
  readonly principalId: string
  readonly address: string
  readonly scroll: number
  readonly at: number
  readonly fields: readonly KeptField[]
}

const TEXT_TYPES = ['text', 'search', 'email', 'tel', 'url', 'number', 'date', 'time']
const SECRET = /one-time-code|password|^cc-/

/**
 * Returns whether the control's value may be stored: text, and choices that take effect only when their form is sent;
 * neither codes nor passwords nor card numbers.
 */
function mayBeKept(control: Control): boolean {
  if (SECRET.test(control.autocomplete) || 'secret' in control.dataset) return false
  if (control instanceof HTMLSelectElement) return control.form !== null
  return control instanceof HTMLTextAreaElement || TEXT_TYPES.includes(control.type)
}

/** Returns the address of the page in this portal. */
function pageAddress(): string {
  const { pathname, search, hash } = window.location
  return pathname + search + hash
}

/**
 * Goes to the sign-in page, which says why the session ended, where it has. After signing in, the person is back on
 * this page with what they had typed. A page on which they wanted to approve begins at its top, where it says that
 * nothing is approved yet.
 */
export function leavePage(principalId: string, refusal: Pick<RefusalData, 'members'> | null): void {
  const { pathname } = window.location
  const wasApproving = refusal === null && pathname.startsWith('/approve/')
  const address = wasApproving ? `${pathname}?from=${AFTER_SIGN_IN}` : pageAddress()
  keepPage({ principalId, address, scroll: wasApproving ? 0 : window.scrollY })
  window.location.assign(refusal === null ? signInAgainPath(address) : signInPath(address, endOf(refusal)))
}

/**
 * Returns why the session ended. The server knows nothing of a session without its cookie, which expires unused or is
 * removed by signing out in another window.
 */
function endOf({ members }: Pick<RefusalData, 'members'>): SessionEnd {
  return readEnd(members['ended']) ?? (unusedFor() < SESSION_IDLE_SECONDS * 1000 ? 'window' : 'idle')
}

/** Stores what was typed on the page, for an hour. */
function keepPage(page: Pick<KeptPage, 'principalId' | 'address' | 'scroll'>): void {
  const fields = typedControls().filter(mayBeKept).map(fieldOf)
  const kept: KeptPage = { ...page, at: Date.now(), fields }
  withStorage((storage) => storage.setItem(KEY, JSON.stringify(kept)))
}

function fieldOf(control: Control): KeptField {
  const label = labelOf(control)
  return { label, place: controlsNamed(label).indexOf(control), value: control.value }
}

const labelOf = (control: Control): string =>
  [control.tagName, control.name, control.getAttribute('aria-label'), control.labels?.[0]?.textContent].join('|')

const controlsNamed = (label: string): Control[] =>
  [...document.querySelectorAll<Control>('input, textarea, select')].filter((control) => labelOf(control) === label)

/** Drops the stored page once it is an hour old. Returns a function that cancels that. */
export function expireKeptPage(): () => void {
  const kept = readKept()
  if (kept === null) return () => undefined
  const timer = setTimeout(drop, kept.at + KEPT_MILLISECONDS - Date.now())
  return () => clearTimeout(timer)
}

const PAUSE_MILLISECONDS = 250
/** Five seconds, since parts of a page arrive late on a slow connection. */
const TURNS = 20

/**
 * Restores what this person had typed on this page, and the scroll position. A page that is older than an hour, another
 * page or another person's is dropped.
 */
export function restorePage(principalId: string): void {
  const kept = readKept()
  drop()
  if (kept === null || kept.principalId !== principalId || kept.address !== pageAddress()) return
  const { fields, scroll } = kept
  let timer: ReturnType<typeof setTimeout> | undefined
  // A person who is already using the page is not scrolled.
  const hands = new AbortController()
  const stop = () => {
    clearTimeout(timer)
    hands.abort()
  }
  // Parts of the page may still be loading.
  const restore = (turn: number) => {
    const isWhole = fields.map(fill).every(Boolean)
    window.scrollTo(0, scroll)
    const isThere = isWhole && Math.abs(window.scrollY - scroll) < 2
    if (isThere || turn >= TURNS) stop()
    else timer = setTimeout(() => restore(turn + 1), PAUSE_MILLISECONDS)
  }
  for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
    window.addEventListener(event, stop, { passive: true, signal: hands.signal })
  }
  restore(1)
}

/** Fills the field; returns whether it already held the text. */
function fill({ label, place, value }: KeptField): boolean {
  const control = controlsNamed(label)[place]
  if (control === undefined || !mayBeKept(control)) return false
  if (control.value === value) return true
  // Has React hydrate this part of the page first, since only then it notices the change.
  control.dispatchEvent(new Event(changeOf(control), { bubbles: true }))
  typeInto(control, value)
  return false
}

function readKept(): KeptPage | null {
  const text = withStorage((storage) => storage.getItem(KEY)) ?? null
  const kept = text === null ? null : (JSON.parse(text) as KeptPage)
  if (kept === null || Date.now() - kept.at < KEPT_MILLISECONDS) return kept
  drop()
  return null
}

function drop(): void {
  withStorage((storage) => storage.removeItem(KEY))
}

/** Storage may be blocked; then nothing is stored. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage)
  } catch {
    return undefined
  }
}

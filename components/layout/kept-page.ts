import { unusedFor } from '@/components/api/client'
import { type Control, changeOf, typedControls, typeInto } from '@/components/lib/typed-controls'
import { signInAgainPath, signInPath } from '@/server/base/core/sign-in-input'
import { readEnd, SESSION_IDLE_SECONDS, type SessionEnd } from '@/server/identity/sessions/input'
import type { RefusalData } from '@/server/transport/trpc/refusal'

/** Where the tab keeps what was typed on a page that was left to sign in. It never leaves the tab. */
const KEY = 'countersign.kept-page'
const KEPT_MILLISECONDS = 60 * 60_000

/** A field by what its reader knows it by, and how many such fields stand before it. */
interface KeptField {
  readonly label: string
  readonly place: number
  readonly value: string
}

interface KeptPage {
  /** Whose page it was; it is shown to nobody else. */
  readonly principalId: string
  readonly address: string
  readonly scroll: number
  readonly at: number
  readonly fields: readonly KeptField[]
}

const TEXT_TYPES = ['text', 'search', 'email', 'tel', 'url', 'number', 'date', 'time']
const SECRET = /one-time-code|password|^cc-/

/** Text, and choices that only count once their form is sent; neither codes nor passwords nor numbers of cards. */
function mayBeKept(control: Control): boolean {
  if (SECRET.test(control.autocomplete) || 'secret' in control.dataset) return false
  if (control instanceof HTMLSelectElement) return control.form !== null
  return control instanceof HTMLTextAreaElement || TEXT_TYPES.includes(control.type)
}

/** The address of the page in this portal. */
function pageAddress(): string {
  const { pathname, search, hash } = window.location
  return pathname + search + hash
}

/**
 * Goes to the sign-in page, which says why the session ended, if it has, and comes back to where the person was, with what
 * they had typed.
 */
export function leavePage(principalId: string, refusal: Pick<RefusalData, 'members'> | null): void {
  keepPage(principalId)
  const here = pageAddress()
  window.location.assign(refusal === null ? signInAgainPath(here) : signInPath(here, endOf(refusal)))
}

/**
 * Why the session ended. The server knows nothing of a session without its cookie: that runs out unused, or is removed by
 * signing out in another window.
 */
function endOf({ members }: Pick<RefusalData, 'members'>): SessionEnd {
  return readEnd(members['ended']) ?? (unusedFor() < SESSION_IDLE_SECONDS * 1000 ? 'window' : 'idle')
}

/** Keeps the page as it stands, for an hour. */
function keepPage(principalId: string): void {
  const fields = typedControls().filter(mayBeKept).map(fieldOf)
  const kept: KeptPage = { principalId, address: pageAddress(), scroll: window.scrollY, at: Date.now(), fields }
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

/** Drops what is kept once it is an hour old. Returns what stops waiting for that. */
export function expireKeptPage(): () => void {
  const kept = readKept()
  if (kept === null) return () => undefined
  const timer = setTimeout(drop, kept.at + KEPT_MILLISECONDS - Date.now())
  return () => clearTimeout(timer)
}

const PAUSE_MILLISECONDS = 250
const TURNS = 12

/**
 * Brings back what this person had typed on this page, and where they were on it. What belongs to another person, another
 * page or is older than an hour is dropped.
 */
export function restorePage(principalId: string): void {
  const kept = readKept()
  drop()
  if (kept === null || kept.principalId !== principalId || kept.address !== pageAddress()) return
  const { fields, scroll } = kept
  let timer: ReturnType<typeof setTimeout> | undefined
  // A person who goes on by themselves is not moved.
  const hands = new AbortController()
  const stop = () => {
    clearTimeout(timer)
    hands.abort()
  }
  // Parts of the page may still be on their way.
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

/** Returns whether the field already holds the text. */
function fill({ label, place, value }: KeptField): boolean {
  const control = controlsNamed(label)[place]
  if (control === undefined || !mayBeKept(control)) return false
  if (control.value === value) return true
  // Has React take the part of the page over, where it has not yet: only then it notices the change.
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

/** Storage may be blocked; then nothing is kept. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage)
  } catch {
    return undefined
  }
}

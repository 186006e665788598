import { safeNext } from '@/server/base/core/sign-in-input'

/** The storage key of the path to return to, since the mailed link opens a new tab, which does not know it. */
const KEY = 'countersign.return-path'

export function keepReturnPath(next: string): void {
  try {
    window.localStorage.setItem(KEY, next)
  } catch {
    // Storage may be blocked; the person then lands on the home page.
  }
}

/** Returns, once, the path that the person wanted to open when requesting the link. */
export function takeReturnPath(): string {
  try {
    const kept = window.localStorage.getItem(KEY)
    window.localStorage.removeItem(KEY)
    return safeNext(kept)
  } catch {
    return '/'
  }
}

import { safeNext } from '@/server/base/core/sign-in-input'

/** The link in the mail opens a new tab, which knows nothing of where the person wanted to go. */
const KEY = 'countersign.return-path'

export function keepReturnPath(next: string): void {
  try {
    window.localStorage.setItem(KEY, next)
  } catch {
    // Storage may be blocked; the person then lands on the home page.
  }
}

/** Where the person wanted to go when asking for the link; answers once. */
export function takeReturnPath(): string {
  try {
    const kept = window.localStorage.getItem(KEY)
    window.localStorage.removeItem(KEY)
    return safeNext(kept)
  } catch {
    return '/'
  }
}

import { useSyncExternalStore } from 'react'

/** The tab keeps the token until it is used, so that a reload, or a phone that drops the page meanwhile, loses nothing. */
const KEY = 'countersign.sign-in-token'

let token: string | null | undefined

/** The token comes in the fragment, which no server and no log ever sees. */
function read(): string | null {
  const found = new URLSearchParams(window.location.hash.slice(1)).get('token')
  if (found !== null && found !== '') {
    if (found !== token) withStorage((storage) => storage.setItem(KEY, found))
    token = found
  }
  if (token === undefined) token = withStorage((storage) => storage.getItem(KEY)) ?? null
  return token
}

function subscribe(listener: () => void): () => void {
  const take = () => {
    listener()
    // Read, it leaves the address bar.
    if (window.location.hash !== '') window.history.replaceState(null, '', window.location.pathname)
  }
  take()
  // A second link that is opened in the same tab changes nothing but the fragment.
  window.addEventListener('hashchange', take)
  return () => window.removeEventListener('hashchange', take)
}

/** The token of the sign-in link that led here; null while there is none. */
export function useAddressToken(): string | null {
  return useSyncExternalStore(subscribe, read, () => null)
}

/** Once it has been used. */
export function forgetAddressToken(): void {
  withStorage((storage) => storage.removeItem(KEY))
}

/** Storage may be blocked; the page itself then still knows the token. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage)
  } catch {
    return undefined
  }
}

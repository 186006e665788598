import { useSyncExternalStore } from 'react'

/** The token of a mailed link that led to a page. */
export interface AddressToken {
  /** Null while there is none. */
  readonly useToken: () => string | null
  /** Once it has been used. */
  readonly forget: () => void
}

/** The tab keeps the token under `key` until it is used, so that a reload, or a phone that drops the page, loses nothing. */
export function addressToken(key: string): AddressToken {
  let token: string | null | undefined

  /** The token comes in the fragment, which no server and no log ever sees. */
  function read(): string | null {
    const found = new URLSearchParams(window.location.hash.slice(1)).get('token')
    if (found !== null && found !== '') {
      if (found !== token) withStorage((storage) => storage.setItem(key, found))
      token = found
    }
    if (token === undefined) token = withStorage((storage) => storage.getItem(key)) ?? null
    return token
  }

  function subscribe(listener: () => void): () => void {
    const take = () => {
      listener()
      // Removes the token from the address bar once it has been read.
      if (window.location.hash !== '') window.history.replaceState(null, '', window.location.pathname)
    }
    take()
    // A second link that is opened in the same tab changes nothing but the fragment.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }

  return {
    useToken: () => useSyncExternalStore(subscribe, read, () => null),
    forget: () => withStorage((storage) => storage.removeItem(key)),
  }
}

/** Storage may be blocked; the page itself then still knows the token. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage)
  } catch {
    return undefined
  }
}

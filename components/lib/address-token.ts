import { useSyncExternalStore } from 'react'

/** The token of the mailed link that opened the page. */
export interface AddressToken {
  /** Returns the token; null while there is none. */
  readonly useToken: () => string | null
  /** Forgets the token; called once it has been used. */
  readonly forget: () => void
}

/**
 * Reads the token from the address. The tab stores it under `key` until it is used, so that it survives a reload, or a
 * phone that discards the page.
 */
export function addressToken(key: string): AddressToken {
  let token: string | null | undefined

  /** Reads the token from the fragment, which is never sent to a server and so is in no log. */
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

/** Storage may be blocked; then the token is only in memory. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(window.sessionStorage)
  } catch {
    return undefined
  }
}

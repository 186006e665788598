import { useSyncExternalStore } from 'react'

let token: string | null = null

/** The token comes in the fragment, which no server and no log ever sees. */
function read(): string | null {
  const found = new URLSearchParams(window.location.hash.slice(1)).get('token')
  if (found !== null && found !== '') token = found
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

import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Returns whether the browser has no network. Even with one, the server may be out of reach. */
export const isOffline = (): boolean => !navigator.onLine

/** Returns whether the browser has no network, and updates when that changes. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, isOffline, () => false)

import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the browser has no network at all. With one, the server may still be out of reach. */
export const isOffline = (): boolean => !navigator.onLine

/** Whether the browser has no network, as it changes. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, isOffline, () => false)

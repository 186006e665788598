import { useEffect } from 'react'
import { usePortalClient } from '@/components/api/client'
import { useLocale } from '@/components/i18n/locale-provider'

/** Long after everything that a page needs has been loaded. */
const IDLE_MS = 4_000

/** Hands the browser's subscription in again on each load of a page: browsers lose them, and their addresses change. */
export function useHandIn(): void {
  const client = usePortalClient()
  const locale = useLocale()
  useEffect(() => {
    const later = () => {
      if (!('Notification' in window) || Notification.permission !== 'granted') return
      // The next load tries again.
      void import('./hand-in').then(({ handIn }) => handIn(client, locale)).catch(() => undefined)
    }
    const timer = setTimeout(later, IDLE_MS)
    return () => clearTimeout(timer)
  }, [client, locale])
}

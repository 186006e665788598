import { useEffect } from 'react'
import { usePortalClient } from '@/components/api/client'
import { useLocale } from '@/components/i18n/locale-provider'

/** The delay after which everything that a page needs has long been loaded. */
const IDLE_MS = 4_000

/**
 * Registers the browser's subscription again on each load of a page, since browsers lose subscriptions and their
 * endpoints change.
 */
export function useHandIn(): void {
  const client = usePortalClient()
  const locale = useLocale()
  useEffect(() => {
    const later = () => {
      if (!('Notification' in window) || Notification.permission !== 'granted') return
      // The next load of a page tries again.
      void import('./hand-in').then(({ handIn }) => handIn(client, locale)).catch(() => undefined)
    }
    const timer = setTimeout(later, IDLE_MS)
    return () => clearTimeout(timer)
  }, [client, locale])
}

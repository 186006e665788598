import { useEffect } from 'react'
import { isStripePage } from './stripe-pages'
import { useHydrated } from './use-hydrated'

/** Where the browser loaded the document from, whatever pages the person has gone through in it since. */
function loadedPath(): string {
  const [entry] = performance.getEntriesByType('navigation')
  return new URL(entry?.name ?? window.location.href).pathname
}

/**
 * Whether this document may load Stripe's script. A document keeps the policy that it was loaded with, also after links
 * have led to another page, so one that came from elsewhere is loaded again.
 */
export function useStripeDocument(needed: boolean): boolean {
  const hydrated = useHydrated()
  const isOwn = hydrated && isStripePage(loadedPath())
  const isForeign = needed && hydrated && !isOwn
  useEffect(() => {
    if (isForeign) window.location.reload()
  }, [isForeign])
  return isOwn
}

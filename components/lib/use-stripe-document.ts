import { useEffect } from 'react'
import { isStripePage } from './stripe-pages'
import { useHydrated } from './use-hydrated'

/** Returns the path from which the browser loaded the document, whatever pages were opened in it since. */
function loadedPath(): string {
  const [entry] = performance.getEntriesByType('navigation')
  return new URL(entry?.name ?? window.location.href).pathname
}

/**
 * Returns whether this document may load Stripe's script. A document keeps the policy that it was loaded with, even
 * after links have led to another page, so a document from another page is loaded again.
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

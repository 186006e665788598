const STRIPE_PAGES = /^\/(?:cards|payments\/confirm|welcome)(?:\/|$)/

/**
 * Returns whether the page at this path may load Stripe's script and frames; the policy of every other page forbids
 * them.
 */
export function isStripePage(pathname: string): boolean {
  return STRIPE_PAGES.test(pathname)
}

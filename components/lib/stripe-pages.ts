const STRIPE_PAGES = /^\/(?:cards|payments\/confirm|welcome)(?:\/|$)/

/** Whether the page at this path may load Stripe's script and frames; every other page's policy forbids them. */
export function isStripePage(pathname: string): boolean {
  return STRIPE_PAGES.test(pathname)
}

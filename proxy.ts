import { type NextRequest, NextResponse } from 'next/server'
import { isStripePage } from './components/lib/stripe-pages'
import { NONCE_HEADER, REQUEST_ID_HEADER, REQUEST_PATH_HEADER } from './server/base/contract/request-headers'
import { getPlatform } from './server/base/platform/container'

// Next writes the value in when it builds; nothing is read when the server runs.
// oxlint-disable-next-line countersign/environment
const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * Pages only: the API's answers bring their own headers, and built files are the same for everybody. Next reads this
 * when it builds, so it must be a plain text.
 */
export const config = {
  matcher: [
    '/((?!_next/static/|_next/image|icon\\.svg$|apple-icon\\.png$|icons/|sw\\.js$|api/|audit/|discovery/|docs$|docs/|eudiw/|federation/|healthz$|llms\\.txt$|merchant_test/|metrics$|oauth/|oid4vci/|openapi\\.json$|operator/|privacy/|readyz$|sandbox/|settlement/|vct/|wallet/|webhooks/|\\.well-known/).*)',
  ],
}

/** Gives every page its request id and security headers. It lets nobody in: each page and procedure asks for itself. */
export function proxy(request: NextRequest): NextResponse {
  const { random, config: settings, processor } = getPlatform()
  const nonce = random.bytes(16).toString('base64')
  const requestId = random.uuid()
  const usesStripe = processor.kind === 'stripe' && processor.publishableKey !== null
  const policy = contentSecurityPolicy(nonce, usesStripe && isStripePage(request.nextUrl.pathname))
  const headers = new Headers(request.headers)
  headers.set(REQUEST_ID_HEADER, requestId)
  headers.set(REQUEST_PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search)
  headers.set(NONCE_HEADER, nonce)
  // Next takes the nonce for its own scripts from here.
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set(REQUEST_ID_HEADER, requestId)
  for (const [name, value] of securityHeaders(policy, settings.baseUrl)) response.headers.set(name, value)
  return response
}

const STRIPE_SCRIPTS = ' https://js.stripe.com https://*.js.stripe.com'

/**
 * With Stripe, what its browser script needs is allowed too: see https://docs.stripe.com/security/guide. Browsers that
 * know strict-dynamic take that script because one of ours inserts it, the others because of its address.
 */
function contentSecurityPolicy(nonce: string, withStripe: boolean): string {
  const directives = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${withStripe ? STRIPE_SCRIPTS : ''}${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // Components position popups with style attributes, which no nonce can cover.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${withStripe ? ' https://api.stripe.com' : ''}${isDevelopment ? ' ws:' : ''}`,
    ...(withStripe ? [`frame-src${STRIPE_SCRIPTS} https://hooks.stripe.com`] : []),
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ]
  return directives.join('; ')
}

function securityHeaders(policy: string, baseUrl: string): [string, string][] {
  const headers: [string, string][] = [
    ['content-security-policy', policy],
    ['referrer-policy', 'no-referrer'],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()'],
    ['cache-control', 'no-store'],
  ]
  if (baseUrl.startsWith('https:')) headers.push(['strict-transport-security', 'max-age=63072000; includeSubDomains'])
  return headers
}

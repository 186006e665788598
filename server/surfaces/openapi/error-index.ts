import type { AnyOperation } from '../../base/contract/endpoint'
import { type ErrorCode, type PublicErrorCode, redirectErrorCodes, statusOfCode } from '../../base/core/errors'
import { refusalsOf, statusAt } from './document'
import { explanations } from './error-explanations'

/** The codes that every endpoint can return. */
export const EVERYWHERE = new Set<PublicErrorCode>([
  'headers_too_large',
  'invalid_request',
  'method_not_allowed',
  'misdirected_request',
  'not_found',
  'request_timeout',
  'server_error',
  'service_unavailable',
  'uri_too_long',
])

/** Renders the index of errors as Markdown, one heading per code, to which `error_uri` links. */
export function renderErrorIndex(operations: readonly AnyOperation[]): string {
  const codes = (Object.keys(explanations) as PublicErrorCode[]).toSorted()
  const sections = codes.map((code) => {
    const { means, remedy } = explanations[code]
    const status = isRedirectCode(code) ? 'in the redirect' : statusesOf(code, operations)
    return `## ${code}\n\n${means} (${status})\n\n**What to do:** ${remedy}\n\n**From:** ${originOf(code, operations)}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

const INTRODUCTION = `# Errors

Every refusal is JSON with \`error\`, one of the codes below, \`error_description\`, a sentence for developers, and
\`error_uri\`, which leads here. Decide by \`error\`; descriptions may change. Typed parameters that do not validate are
answered 422 with a list \`detail\` of \`{loc, msg, type}\` instead.
`

function isRedirectCode(code: PublicErrorCode): code is (typeof redirectErrorCodes)[number] {
  return redirectErrorCodes.some((known) => known === code)
}

/** Returns a code's usual status, and other statuses with their endpoints, as text. */
function statusesOf(code: ErrorCode, operations: readonly AnyOperation[]): string {
  const others = new Map<number, string[]>()
  for (const { endpoint } of operations) {
    const status = statusAt(endpoint, code)
    if (status === statusOfCode[code] || !refusalsOf(endpoint).has(code)) continue
    others.set(status, [...(others.get(status) ?? []), `\`${endpoint.method} ${endpoint.path}\``])
  }
  const elsewhere = [...others].map(([status, places]) => `; ${status} at ${places.toSorted().join(', ')}`)
  return `status ${statusOfCode[code]}${elsewhere.join('')}`
}

function originOf(code: PublicErrorCode, operations: readonly AnyOperation[]): string {
  if (isRedirectCode(code)) return 'the redirect of `GET /oauth/authorize`'
  if (EVERYWHERE.has(code)) return 'every endpoint'
  const sources = operations
    .filter(({ endpoint }) => refusalsOf(endpoint).has(code))
    .map(({ endpoint }) => `\`${endpoint.method} ${endpoint.path}\``)
  return sources.toSorted().join(', ')
}

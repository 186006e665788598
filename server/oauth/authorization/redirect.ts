import { Reply } from '../../base/contract/reply'
import type { Call } from '../../base/core/call'
import { errorUri, type PublicErrorCode } from '../../base/core/errors'
import { sha256Base64url } from '../../base/protocol/encoding'
import { AUTHORIZATION_CODE_TTL_SECONDS } from '../../base/protocol/lifetimes'
import type { NewCode } from './code-store'

/** The redirect URI and state of the agent's request. */
interface Target {
  readonly redirect_uri: string
  readonly state: string | null
}

/** Creates a code; `stored` has its hash and its times, without the code. */
export function mintCode({ platform, now }: Pick<Call, 'platform' | 'now'>): { code: string; stored: NewCode } {
  const code = platform.random.token(32)
  const expiresAt = new Date(now.getTime() + AUTHORIZATION_CODE_TTL_SECONDS * 1000)
  return { code, stored: { codeHash: sha256Base64url(code), now, expiresAt } }
}

/** Redirects with a result, the state and the issuer (RFC 6749 section 4.1.2, RFC 9207 section 2). */
export function redirectTo(call: Pick<Call, 'platform'>, target: Target, result: Record<string, string>): Reply {
  const { redirect_uri: uri, state } = target
  const query = new URLSearchParams({ ...result, iss: call.platform.config.baseUrl })
  if (state !== null) query.set('state', state)
  // The query of the redirect URI is kept.
  return Reply.redirect(`${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`)
}

/** Why there is no code: the error, its description, and a page for the person if it is not that of the error. */
export type RedirectError = readonly [error: PublicErrorCode, description: string, page?: string]

/** Redirects with the reason why there is no code. */
export function redirectWithError(
  call: Pick<Call, 'platform'>,
  target: Target,
  [error, description, page]: RedirectError,
): Reply {
  const uri = page ?? errorUri(call.platform.config.baseUrl, error)
  return redirectTo(call, target, { error, error_description: description, error_uri: uri })
}

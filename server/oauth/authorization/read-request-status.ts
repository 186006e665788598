import { buildNotFoundError } from '../../base/contract/problem'
import type { AnonymousCall } from '../../base/core/call'
import { sha256Base64url } from '../../base/protocol/encoding'
import { findPushedRequestState } from './pushed-request-store'

/** GET /oauth/par/{request_uri}/status: returns only the decision, to any caller who knows the handle. */
export async function readRequestStatus(call: AnonymousCall, input: { request_uri: string }) {
  const found = await findPushedRequestState(call.platform.db, sha256Base64url(input.request_uri), call.now)
  if (found === null) throw buildNotFoundError()
  if (found.status === 'withdrawn') return { status: 'declined' as const }
  if (found.decision === 'consent') return { status: found.status ?? ('pending' as const) }
  // A missing card or proof of age counts as approved, since no decision is awaited: authorize names what is missing.
  return { status: found.decision === 'access_denied' ? ('declined' as const) : ('approved' as const) }
}

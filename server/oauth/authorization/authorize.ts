import { announceChange } from '../../base/core/announce-change'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { sha256Base64url } from '../../base/protocol/encoding'
import { describeRequiredAge, provingPage } from '../../wallet/age-proofs'
import { OWN_CARD_REMOVED } from '../../wallet/cards'
import { describeStop } from '../../wallet/limits'
import { type ConsumedRequest, consumePushedRequest, findPushedRequest } from './authorize-store'
import { sendMagicLink } from './magic-link'
import { mintCode, type RedirectError, redirectTo, redirectWithError } from './redirect'

interface AuthorizeQuery {
  readonly request_uri?: string | undefined
  readonly client_id?: string | undefined
}

/**
 * GET /oauth/authorize: consumes the pushed request and redirects with a code, or with the reason why there is none
 * (RFC 9126 section 4, RFC 9207). An invalid handle is refused without a redirect. When no approval was needed and the
 * magic-link gate is on, the person gets a magic link instead.
 */
export async function authorize(call: AnonymousCall, { request_uri: requestUri, client_id: clientId }: AuthorizeQuery) {
  if (requestUri === undefined || clientId === undefined) {
    throw new ServiceError('invalid_request', 'client_id and the request_uri of a pushed request are required.')
  }
  const { platform, now } = call
  const handleHash = sha256Base64url(requestUri)
  const gateForAll = platform.config.magicLinkGate
  const { code, stored } = mintCode(call)
  const consumed = await consumePushedRequest(platform.db, { handleHash, clientId, gateForAll, code: stored })
  if (consumed?.status === 'pending') await announceChange(platform, consumed.principal_id)
  if (consumed !== null)
    return consumed.coded
      ? redirectTo(call, consumed, { code })
      : redirectWithError(call, consumed, errorOf(call, consumed))
  const found = await findPushedRequest(platform.db, { handleHash, gateForAll, now })
  if (found !== null && found.client_id !== clientId) {
    throw new ServiceError('invalid_request', 'The request_uri was pushed by another client.')
  }
  const answer =
    found?.gated === true ? await sendMagicLink(call, { handleHash, principalId: found.principal_id }) : null
  if (answer !== null) return answer
  throw new ServiceError('invalid_request_uri', 'The request_uri is unknown, expired or was used before.')
}

function errorOf({ platform }: AnonymousCall, consumed: ConsumedRequest): RedirectError {
  const isEnded = consumed.status === 'declined' || consumed.status === 'withdrawn'
  if (!consumed.active || consumed.decision === 'access_denied' || isEnded) {
    return ['access_denied', refusalOf(consumed)]
  }
  const { decision, required_age: age, own_card_removed: isOwnRemoved } = consumed
  if (decision === 'setup_required' && age !== null) {
    return ['setup_required', describeRequiredAge(age), provingPage(platform.config.baseUrl, age)]
  }
  if (decision === 'setup_required') {
    return ['setup_required', isOwnRemoved ? OWN_CARD_REMOVED : 'The person has yet to add a card to their wallet.']
  }
  return ['consent_required', 'The person has not decided yet.']
}

/** Returns the reason for the agent: the stored refusal, the person's decision, or the freeze or pause. */
function refusalOf({ refusal, status, stop }: ConsumedRequest): string {
  if (refusal !== null) return refusal
  if (status === 'declined') return 'The person declined the request.'
  return status === 'withdrawn' && stop !== null ? describeStop(stop) : 'The request was declined.'
}

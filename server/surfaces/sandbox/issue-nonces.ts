import type { InputOf } from '../../base/contract/endpoint'
import type { AnonymousCall } from '../../base/core/call'
import type { issueMerchantNonceEndpoint } from './contract'
import { audienceOf, requireMerchant } from './merchants'
import { issueNonce, NONCE_TTL_SECONDS, testVerifier } from './nonces'

/** Issues a nonce for one presentation to a merchant. */
export async function issueMerchantNonce(call: AnonymousCall, input: InputOf<typeof issueMerchantNonceEndpoint>) {
  const audience = audienceOf(call.platform, requireMerchant(input.merchant_id))
  return { nonce: await issueNonce(call, audience), expires_in: NONCE_TTL_SECONDS }
}

/** Issues a nonce for one presentation to the verifier for any merchant. */
export async function issueTestNonce(call: AnonymousCall) {
  return { nonce: await issueNonce(call, testVerifier(call.platform)), expires_in: NONCE_TTL_SECONDS }
}

import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { type DpopProof, verifyDpopProof } from '../../base/protocol/dpop'
import { ProtocolError } from '../../base/protocol/errors'
import { findPresentedAt, issueNonce } from './nonces'

/** A DPoP proof with a nonce of the merchant, unused or used by the same presentation. */
export interface MerchantProof {
  readonly jkt: string
  readonly nonce: string
  readonly presentedAt: Date
}

interface ProofOfRequest {
  readonly proof: string | undefined
  readonly audience: string
  readonly uri: string
  readonly presentation: string
}

/**
 * Checks the proof of a payment request as a resource server: it must carry one of the merchant's nonces.
 * @throws 401 with a `DPoP` challenge; `use_dpop_nonce` brings the next nonce
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-9}
 */
export async function requireMerchantProof(call: AnonymousCall, question: ProofOfRequest): Promise<MerchantProof> {
  const checked = await checkProof(call, question)
  if (checked instanceof ProtocolError) {
    if (checked.code === 'use_dpop_nonce') throw await buildNonceChallengeError(call, question.audience)
    throw buildProofChallengeError(`${checked.message}.`)
  }
  const nonce = checked.nonce ?? ''
  const presentedAt = await findPresentedAt(call, { nonce, verifiers: [question.audience] }, question.presentation)
  if (presentedAt !== null) return { jkt: checked.jkt, nonce, presentedAt }
  throw await buildNonceChallengeError(call, question.audience)
}

async function checkProof({ now }: AnonymousCall, { proof, uri }: ProofOfRequest): Promise<DpopProof | ProtocolError> {
  try {
    // Whether the nonce is unused is read from the database, once the rest is valid.
    const expected = { method: 'POST', uri, now, nonceRequired: true, isNonceValid: () => true }
    return await verifyDpopProof(proof ?? null, expected)
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
}

const SCHEME = 'DPoP algs="EdDSA Ed25519 ES256"'

/** Builds the 401 that asks for another try with a new nonce; nothing has been used up. */
export async function buildNonceChallengeError(call: AnonymousCall, audience: string): Promise<ServiceError> {
  return new ServiceError('use_dpop_nonce', 'The DPoP proof and the key binding need a fresh nonce of this merchant.', {
    status: 401,
    headers: {
      'www-authenticate': `${SCHEME}, error="use_dpop_nonce"`,
      'dpop-nonce': await issueNonce(call, audience),
    },
  })
}

/** Builds the 401 for a proof that would be invalid with any nonce. */
export function buildProofChallengeError(description: string): ServiceError {
  return new ServiceError('invalid_token', description, {
    headers: { 'www-authenticate': `${SCHEME}, error="invalid_dpop_proof"` },
  })
}

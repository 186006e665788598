import type { Config } from '../core/platform'
import { challengeOf } from './challenge'
import type { PasskeyEvidence, StepUpAction } from './contract'
import { relyingParty } from './relying-party'
import { verifyAssertion } from './verify-assertion'

/** A kept signature and what it is said to be for. */
export interface KeptEvidence extends StepUpAction {
  readonly principalId: string
  readonly evidence: PasskeyEvidence
}

/**
 * Whether a kept signature confirms exactly this subject: the challenge is computed anew from it, and the signature is
 * checked with the key that was kept beside it. Needs no state, so it holds when the passkey is gone.
 */
export async function verifyStepUpEvidence(
  config: Pick<Config, 'baseUrl'>,
  { purpose, subject, principalId, evidence }: KeptEvidence,
): Promise<boolean> {
  const party = relyingParty(config)
  const challenge = challengeOf({ purpose, principalId, subject, nonce: evidence.nonce })
  if (party === null || challenge !== evidence.challenge) return false
  const { authenticator_data: authenticatorData, client_data_json: clientDataJSON, signature } = evidence.response
  const verified = await verifyAssertion(party, {
    challenge,
    publicKey: Buffer.from(evidence.public_key, 'base64url'),
    response: {
      id: evidence.passkey_id,
      rawId: evidence.passkey_id,
      type: 'public-key',
      response: { authenticatorData, clientDataJSON, signature },
      clientExtensionResults: {},
    },
  })
  return verified !== null
}

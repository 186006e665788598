import type { Config } from '../../base/core/platform'
import { challengeOf } from './challenge'
import type { PasskeyEvidence, StepUpAction } from './contract'
import { webauthnRelyingParty } from './relying-party'
import { verifyAssertion } from './verify-assertion'

/** A stored signature and the action that it is claimed to confirm. */
export interface StoredEvidence extends StepUpAction {
  readonly principalId: string
  readonly evidence: PasskeyEvidence
}

/**
 * Returns whether a stored signature confirms exactly this subject: the challenge is computed again from the subject,
 * and the signature is verified with the key that is stored beside it. No other state is read, so it also works once
 * the passkey is deleted.
 */
export async function verifyStepUpEvidence(
  config: Pick<Config, 'baseUrl'>,
  { purpose, subject, principalId, evidence }: StoredEvidence,
): Promise<boolean> {
  const party = webauthnRelyingParty(config)
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

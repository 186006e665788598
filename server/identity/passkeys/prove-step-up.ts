import type { WalletActor, WalletCall } from '../../base/core/call'
import { sha256Base64url } from '../../base/protocol/encoding'
import { challengeOf } from './challenge'
import { consumeChallenge } from './challenge-store'
import type { PasskeyEvidence, StepUpAction, StepUpEvidence, StepUpProof } from './contract'
import { webauthnRelyingParty } from './relying-party'
import { requireTokenSuffices } from './require-token-suffices'
import { buildStepUpRequiredError, isFresh, needsPasskey } from './step-up-required'
import { findPasskey, readPasskeyStatus, savePasskeyUse } from './store'
import { verifyAssertion } from './verify-assertion'

type Session = NonNullable<WalletActor['session']>

/**
 * Requires that the person has confirmed exactly this action. `subject` is what the server is going to do, never what the
 * proof says. A person with passkeys needs the signature of one, made once and within two minutes, for a challenge of
 * this purpose and session that commits to the subject; others need a session younger than fifteen minutes. For a wallet
 * token only `requireTokenSuffices` is checked. 403 step_up_required with `way` otherwise, for a token 401
 * insufficient_user_authentication.
 */
export async function proveStepUp(
  call: WalletCall,
  action: StepUpAction,
  proof: StepUpProof | undefined,
): Promise<StepUpEvidence> {
  const { actor, platform } = call
  if (actor.via === 'token') {
    await requireTokenSuffices(call)
    return { method: 'token' }
  }
  const status = await readPasskeyStatus(platform.db, actor.principalId)
  const { session } = actor
  if (session === null) throw buildStepUpRequiredError('sign_in')
  if (needsPasskey(status, webauthnRelyingParty(platform.config)))
    return proveByPasskey(call, action, { session, proof })
  if (session.method === 'passkey' || !isFresh(call)) throw buildStepUpRequiredError('sign_in')
  return { method: session.method, session_id_hash: sha256Base64url(session.id) }
}

interface PasskeyProof {
  readonly session: Session
  readonly proof: StepUpProof | undefined
  /** The instant before which the passkey must have been added; absent when any passkey may sign. */
  readonly before?: Date
}

/** Requires the signature of one of the person's passkeys over exactly this action. 403 step_up_required. */
export async function proveByPasskey(
  { actor, platform, now, requestId }: WalletCall,
  { purpose, subject }: StepUpAction,
  { session, proof, before }: PasskeyProof,
): Promise<PasskeyEvidence> {
  const party = webauthnRelyingParty(platform.config)
  if (proof === undefined || party === null) throw buildStepUpRequiredError('passkey')
  const { principalId } = actor
  const owner = { purpose, principalId, sessionId: session.id }
  const used = await consumeChallenge(platform.db, proof.challenge_id, { ...owner, now })
  if (used === null) throw buildStepUpRequiredError('passkey')
  const challenge = challengeOf({ purpose, principalId, subject, nonce: used.nonce })
  const passkey = await findPasskey(platform.db, proof.response.id)
  if (challenge !== used.challenge || passkey?.principal_id !== principalId) throw buildStepUpRequiredError('passkey')
  if (before !== undefined && passkey.created_at >= before) throw buildStepUpRequiredError('passkey')

  const publicKey = Buffer.from(passkey.public_key, 'hex')
  const verified = await verifyAssertion(party, { response: proof.response, challenge, publicKey })
  if (verified === null) throw buildStepUpRequiredError('passkey')
  if (!(await savePasskeyUse(platform.db, passkey.id, { principalId, ...verified, now }))) {
    platform.log.warn('the signature counter of a passkey went back', { requestId })
    throw buildStepUpRequiredError('passkey')
  }
  const { authenticatorData, clientDataJSON, signature } = proof.response.response
  return {
    method: 'passkey',
    passkey_id: passkey.id,
    nonce: used.nonce,
    challenge,
    response: { authenticator_data: authenticatorData, client_data_json: clientDataJSON, signature },
    public_key: publicKey.toString('base64url'),
  }
}

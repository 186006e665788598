import type { WalletActor, WalletCall } from '../core/call'
import { sha256Base64url } from '../protocol/encoding'
import { challengeOf } from './challenge'
import { consumeChallenge } from './challenge-store'
import type { PasskeyEvidence, StepUpAction, StepUpEvidence, StepUpProof } from './contract'
import { refuseWeakToken } from './refuse-weak-token'
import { relyingParty } from './relying-party'
import { isFresh, needsPasskey, stepUpRequired } from './step-up-way'
import { findPasskey, notePasskeyUse, readStanding } from './store'
import { verifyAssertion } from './verify-assertion'

type Session = NonNullable<WalletActor['session']>

/**
 * Lets something happen only when the person confirmed exactly that. `subject` is what is going to happen, as the server
 * knows it and never as the proof says. People with a passkey need its signature, for a challenge of this purpose and
 * session that commits to the subject, within two minutes and once; others a session of at most fifteen minutes. A
 * wallet token is held to `refuseWeakToken` alone. 403 step_up_required with `way` otherwise.
 */
export async function proveStepUp(
  call: WalletCall,
  action: StepUpAction,
  proof: StepUpProof | undefined,
): Promise<StepUpEvidence> {
  const { actor, platform } = call
  if (actor.via === 'token') {
    await refuseWeakToken(call)
    return { method: 'token' }
  }
  const standing = await readStanding(platform.db, actor.principalId)
  const { session } = actor
  if (session === null) throw stepUpRequired('sign_in')
  if (needsPasskey(standing, relyingParty(platform.config))) return proveByPasskey(call, action, { session, proof })
  if (session.method === 'passkey' || !isFresh(call)) throw stepUpRequired('sign_in')
  return { method: session.method, session_id_hash: sha256Base64url(session.id) }
}

async function proveByPasskey(
  { actor, platform, now, requestId }: WalletCall,
  { purpose, subject }: StepUpAction,
  { session, proof }: { readonly session: Session; readonly proof: StepUpProof | undefined },
): Promise<PasskeyEvidence> {
  const party = relyingParty(platform.config)
  if (proof === undefined || party === null) throw stepUpRequired('passkey')
  const { principalId } = actor
  const owner = { purpose, principalId, sessionId: session.id }
  const used = await consumeChallenge(platform.db, proof.challenge_id, { ...owner, now })
  if (used === null) throw stepUpRequired('passkey')
  const challenge = challengeOf({ purpose, principalId, subject, nonce: used.nonce })
  const passkey = await findPasskey(platform.db, proof.response.id)
  if (challenge !== used.challenge || passkey?.principal_id !== principalId) throw stepUpRequired('passkey')

  const publicKey = Buffer.from(passkey.public_key, 'hex')
  const verified = await verifyAssertion(party, { response: proof.response, challenge, publicKey })
  if (verified === null) throw stepUpRequired('passkey')
  if (!(await notePasskeyUse(platform.db, passkey.id, { principalId, ...verified, now }))) {
    platform.log.warn('the signature counter of a passkey went back', { requestId })
    throw stepUpRequired('passkey')
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

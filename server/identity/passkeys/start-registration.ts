import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { insertChallenge, type RegistrationPurpose } from './challenge-store'
import { PASSKEYS_MAX, type PasskeyCreation, REGISTRATION_TTL_SECONDS, type StepUpProof } from './contract'
import { proveStepUp } from './prove-step-up'
import { requireWebauthnRelyingParty, type WebauthnRelyingParty } from './relying-party'
import { buildStepUpRequiredError } from './step-up-required'
import { type ListedPasskey, listPasskeysOf, readPasskeyStatus } from './store'

/** COSE algorithms in order of preference: EdDSA, ES256, RS256 (which Windows Hello needs). */
export const ALGORITHMS = [-8, -7, -257]

/**
 * Starts the registration of a passkey, to be finished within five minutes. The person confirms it first, with one of
 * their passkeys or with a recent session. 403 step_up_required; 409 conflict for a person with `PASSKEYS_MAX`.
 */
export async function startRegistration(
  call: WalletCall,
  { proof }: { readonly proof?: StepUpProof | undefined },
): Promise<{ readonly challenge_id: string; readonly options: PasskeyCreation }> {
  requireWebauthnRelyingParty(call.platform.config)
  const { method } = await proveStepUp(call, { purpose: 'passkey.add', subject: {} }, proof)
  return openRegistration(call, method === 'passkey' ? 'register_further' : 'register')
}

/** Opens a registration that the person has confirmed, or one that is finished with a recovery code. */
export async function openRegistration(
  call: WalletCall,
  purpose: RegistrationPurpose,
): Promise<{ readonly challenge_id: string; readonly options: PasskeyCreation }> {
  const { platform, actor, now } = call
  const party = requireWebauthnRelyingParty(platform.config)
  if (actor.session === null) throw buildStepUpRequiredError('sign_in')
  const passkeys = await listPasskeysOf(platform.db, actor.principalId)
  if (passkeys.length >= PASSKEYS_MAX) throw buildTooManyPasskeysError()

  const id = platform.random.token(16)
  const challenge = platform.random.token(32)
  await insertChallenge(platform.db, {
    id,
    purpose,
    principalId: actor.principalId,
    sessionId: actor.session.id,
    nonce: challenge,
    challenge,
    now,
    ttlSeconds: REGISTRATION_TTL_SECONDS,
  })
  const { email, display_name: displayName } = await readPasskeyStatus(platform.db, actor.principalId)
  const name = email ?? displayName ?? 'Countersign'
  const user = { id: userHandle(actor.principalId), name, displayName: displayName ?? name }
  return { challenge_id: id, options: passkeyCreation(party, { challenge, user, passkeys }) }
}

export function buildTooManyPasskeysError(): ServiceError {
  return new ServiceError(
    'conflict',
    `You can have at most ${PASSKEYS_MAX} passkeys. Remove one that you no longer use.`,
  )
}

/** Returns the person's id as base64url: an authenticator stores it beside the key and returns it at sign-in. */
export function userHandle(principalId: string): string {
  return Buffer.from(principalId, 'utf8').toString('base64url')
}

interface CreationInputs {
  readonly challenge: string
  readonly user: PasskeyCreation['user']
  readonly passkeys: readonly ListedPasskey[]
}

/** Returns the options for `navigator.credentials.create`. */
function passkeyCreation(party: WebauthnRelyingParty, { challenge, user, passkeys }: CreationInputs): PasskeyCreation {
  return {
    challenge,
    rp: { id: party.id, name: party.name },
    user,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: REGISTRATION_TTL_SECONDS * 1000,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, type: 'public-key', transports })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

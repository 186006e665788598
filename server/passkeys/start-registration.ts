import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { insertChallenge } from './challenge-store'
import { PASSKEYS_MAX, type PasskeyCreation, REGISTRATION_TTL_SECONDS, type StepUpProof } from './contract'
import { proveStepUp } from './prove-step-up'
import { type RelyingParty, requireRelyingParty } from './relying-party'
import { stepUpRequired } from './step-up-way'
import { findPasskeys, type PasskeyRow, readStanding } from './store'

/** COSE algorithms, the best first: EdDSA, ES256, RS256 (which Windows Hello needs). */
export const ALGORITHMS = [-8, -7, -257]

/**
 * Lets the person make a passkey within five minutes: they confirm it first, with a passkey that they have or with a
 * session that they opened just now. 403 step_up_required, 409 conflict beyond the most that one person may have.
 */
export async function startRegistration(
  call: WalletCall,
  { proof }: { readonly proof?: StepUpProof | undefined },
): Promise<{ readonly challenge_id: string; readonly options: PasskeyCreation }> {
  const { platform, actor, now } = call
  const party = requireRelyingParty(platform.config)
  await proveStepUp(call, { purpose: 'passkey.add', subject: {} }, proof)
  if (actor.session === null) throw stepUpRequired('sign_in')
  const passkeys = await findPasskeys(platform.db, actor.principalId)
  if (passkeys.length >= PASSKEYS_MAX) throw tooMany()

  const id = platform.random.token(16)
  const challenge = platform.random.token(32)
  await insertChallenge(platform.db, {
    id,
    purpose: 'register',
    principalId: actor.principalId,
    sessionId: actor.session.id,
    nonce: challenge,
    challenge,
    now,
    ttlSeconds: REGISTRATION_TTL_SECONDS,
  })
  const { email, display_name: displayName } = await readStanding(platform.db, actor.principalId)
  const name = email ?? displayName ?? 'Countersign'
  const user = { id: userHandle(actor.principalId), name, displayName: displayName ?? name }
  return { challenge_id: id, options: creation(party, { challenge, user, passkeys }) }
}

export function tooMany(): ServiceError {
  return new ServiceError('conflict', `At most ${PASSKEYS_MAX} passkeys are kept. Remove one that you no longer use.`)
}

/** What an authenticator keeps beside the key and gives back when somebody signs in: the person's id, as base64url. */
export function userHandle(principalId: string): string {
  return Buffer.from(principalId, 'utf8').toString('base64url')
}

interface Made {
  readonly challenge: string
  readonly user: PasskeyCreation['user']
  readonly passkeys: readonly PasskeyRow[]
}

function creation(party: RelyingParty, { challenge, user, passkeys }: Made): PasskeyCreation {
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

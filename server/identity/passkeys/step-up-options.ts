import type { WalletCall } from '../../base/core/call'
import { challengeOf } from './challenge'
import { insertChallenge } from './challenge-store'
import { CHALLENGE_TTL_SECONDS, type PasskeyRequest, type StepUpAction } from './contract'
import { passkeyRequest } from './passkey-request'
import { relyingParty } from './relying-party'
import { isFresh, needsPasskey, stepUpRequired } from './step-up-required'
import { getPasskeyStatus, listPasskeysOf } from './store'

export type StepUpOptions =
  | {
      readonly way: 'passkey'
      readonly challenge_id: string
      readonly options: PasskeyRequest
    }
  | { readonly way: 'session' }
  | { readonly way: 'sign_in' }

/**
 * How the person can confirm the action: by signing a challenge that commits to it with one of their passkeys, with their
 * recent session, or after signing in again. 403 for a caller without a session.
 */
export async function stepUpOptions(call: WalletCall, { purpose, subject }: StepUpAction): Promise<StepUpOptions> {
  const { platform, actor, now } = call
  const party = relyingParty(platform.config)
  const status = await getPasskeyStatus(platform.db, actor.principalId)
  if (actor.session === null) throw stepUpRequired('sign_in')
  if (!needsPasskey(status, party)) return { way: isFresh(call) ? 'session' : 'sign_in' }
  if (party === null) throw stepUpRequired('passkey')

  const id = platform.random.token(16)
  const nonce = platform.random.token(16)
  const challenge = challengeOf({ purpose, principalId: actor.principalId, subject, nonce })
  const owner = { purpose, principalId: actor.principalId, sessionId: actor.session.id }
  await insertChallenge(platform.db, { ...owner, id, nonce, challenge, now, ttlSeconds: CHALLENGE_TTL_SECONDS })
  const passkeys = await listPasskeysOf(platform.db, actor.principalId)
  const options = passkeyRequest(party, { challenge, passkeys })
  return { way: 'passkey', challenge_id: id, options }
}

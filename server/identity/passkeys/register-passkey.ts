import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockPrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { consumeChallenge } from './challenge-store'
import { PASSKEYS_MAX, type Registration } from './contract'
import { notifySecurityChange } from './notify-security-change'
import { requireRelyingParty } from './relying-party'
import { buildTooManyPasskeysError } from './start-registration'
import { stepUpRequired } from './step-up-required'
import { getPasskeyStatus, insertPasskey } from './store'
import { type NewCredential, verifyAttestation } from './verify-attestation'

/**
 * Saves the passkey that the person has created, and notifies them by mail. 409 conflict when the challenge was used or
 * has expired, the passkey is already registered, or there are too many; 400 when the browser's response is not valid.
 */
export async function registerPasskey(call: WalletCall, input: Registration): Promise<{ readonly id: string }> {
  const { platform, actor, now } = call
  const party = requireRelyingParty(platform.config)
  if (actor.session === null) throw stepUpRequired('sign_in')
  const owner = { purpose: 'register', principalId: actor.principalId, sessionId: actor.session.id } as const
  const used = await consumeChallenge(platform.db, input.challenge_id, { ...owner, now })
  if (used === null) throw new ServiceError('conflict', 'Adding the passkey took too long. Start again.')
  const credential = await verifyAttestation(party, used.challenge, input.response)
  if (credential === null) throw new ServiceError('invalid_request', 'The passkey could not be verified. Start again.')
  await savePasskey(call, input, credential)
  nudgeJobs(platform)
  return { id: credential.id }
}

async function savePasskey(call: WalletCall, input: Registration, credential: NewCredential): Promise<void> {
  const { principalId } = call.actor
  await call.platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    const { passkeys, email } = await getPasskeyStatus(tx, principalId)
    if (passkeys >= PASSKEYS_MAX) throw buildTooManyPasskeysError()
    const transports = input.response.response.transports ?? []
    const { name } = input
    if (!(await insertPasskey(tx, { ...credential, principalId, transports, name, now: call.now }))) {
      throw new ServiceError('conflict', 'This passkey is already registered.')
    }
    await notifySecurityChange(tx, call, { principalId, change: 'passkey_added', name, email })
    // A person who has one confirmed with it that another is added, when the registration was started.
    const means = passkeys > 0 ? 'passkey' : meansOf(call.actor)
    const payload = { what: 'passkey', from: null, to: 'added', means, passkey_id: credential.id } as const
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
}

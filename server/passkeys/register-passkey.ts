import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { lockPrincipal } from '../principals'
import { nudgeJobs } from '../queue'
import { consumeChallenge } from './challenge-store'
import { PASSKEYS_MAX, type Registration } from './contract'
import { requireRelyingParty } from './relying-party'
import { tooMany } from './start-registration'
import { stepUpRequired } from './step-up-way'
import { insertPasskey, readStanding } from './store'
import { tellSecurityChange } from './tell-security-change'
import { type NewCredential, verifyAttestation } from './verify-attestation'

/**
 * Keeps the passkey that the person made, and mails them that there is a new one. 409 conflict when the challenge was
 * used or ran out, the passkey is known already, or there are too many; 400 when the browser's answer does not hold.
 */
export async function registerPasskey(call: WalletCall, input: Registration): Promise<{ readonly id: string }> {
  const { platform, actor, now } = call
  const party = requireRelyingParty(platform.config)
  if (actor.session === null) throw stepUpRequired('sign_in')
  const owner = { purpose: 'register', principalId: actor.principalId, sessionId: actor.session.id } as const
  const used = await consumeChallenge(platform.db, input.challenge_id, { ...owner, now })
  if (used === null) throw new ServiceError('conflict', 'Adding the passkey took too long. Start again.')
  const credential = await verifyAttestation(party, used.challenge, input.response)
  if (credential === null) throw new ServiceError('invalid_request', 'The passkey could not be checked. Start again.')
  await keep(call, input, credential)
  nudgeJobs(platform)
  return { id: credential.id }
}

async function keep(call: WalletCall, input: Registration, credential: NewCredential): Promise<void> {
  const { principalId } = call.actor
  await call.platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    const { passkeys, email } = await readStanding(tx, principalId)
    if (passkeys >= PASSKEYS_MAX) throw tooMany()
    const transports = input.response.response.transports ?? []
    const { name } = input
    if (!(await insertPasskey(tx, { ...credential, principalId, transports, name, now: call.now }))) {
      throw new ServiceError('conflict', 'This passkey is registered already.')
    }
    await tellSecurityChange(tx, call, { principalId, change: 'passkey_added', name, email })
  })
}

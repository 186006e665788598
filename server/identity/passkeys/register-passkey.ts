import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { sessionHandle } from '../../base/protocol/session-handle'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { issueLink } from '../../shared/mailed-links'
import { UNDO_TTL_SECONDS } from '../../shared/mailed-links/contract'
import { lockActivePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { consumeChallenge, type RegistrationPurpose } from './challenge-store'
import { PASSKEYS_MAX, type Registration } from './contract'
import { notifySecurityChange } from './notify-security-change'
import { redeemRecoveryCode } from './redeem-recovery-code'
import { requireWebauthnRelyingParty } from './relying-party'
import { buildTooManyPasskeysError } from './start-registration'
import { buildStepUpRequiredError } from './step-up-required'
import { insertPasskey, readPasskeyStatus } from './store'
import { type NewCredential, verifyAttestation } from './verify-attestation'

/**
 * Saves the passkey that the person has created, and consumes the recovery code that started the registration, if any,
 * in one transaction: each code adds one passkey at most. Notifies the person by mail; for their first passkey with a
 * link that undoes it, since until then only mailed links could confirm. 409 conflict when the challenge was used or
 * has expired, the passkey is already registered, or there are too many; 400 when the browser's response or the code is
 * not valid; 403 step_up_required when a session confirmed the start and the person has a passkey by now.
 */
export async function registerPasskey(call: WalletCall, input: Registration): Promise<{ readonly id: string }> {
  const { platform, actor, now } = call
  const party = requireWebauthnRelyingParty(platform.config)
  if (actor.session === null) throw buildStepUpRequiredError('sign_in')
  const owner = { principalId: actor.principalId, sessionId: actor.session.id, now }
  const use = (purpose: RegistrationPurpose) => consumeChallenge(platform.db, input.challenge_id, { ...owner, purpose })
  const signed = input.code === undefined ? await use('register_further') : null
  const used = signed ?? (await use(input.code === undefined ? 'register' : 'recover'))
  if (used === null) throw new ServiceError('conflict', 'Adding the passkey took too long. Start again.')
  const credential = await verifyAttestation(party, used.challenge, input.response)
  if (credential === null) throw new ServiceError('invalid_request', 'The passkey could not be verified. Start again.')
  await savePasskey(call, input, { ...credential, sessionId: actor.session.id, isSigned: signed !== null })
  nudgeJobs(platform)
  return { id: credential.id }
}

interface Enrolled extends NewCredential {
  /** The session that adds the passkey. */
  readonly sessionId: string
  /** Whether another passkey confirmed the addition. */
  readonly isSigned: boolean
}

async function savePasskey(
  call: WalletCall,
  input: Registration,
  { sessionId, isSigned, ...credential }: Enrolled,
): Promise<void> {
  const { principalId } = call.actor
  await call.platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, principalId)
    const { passkeys, email } = await readPasskeyStatus(tx, principalId)
    if (passkeys >= PASSKEYS_MAX) throw buildTooManyPasskeysError()
    const transports = input.response.response.transports ?? []
    const { name, code } = input
    // The person's first passkey may have been added since this registration was started.
    if (passkeys > 0 && !isSigned && code === undefined) throw buildStepUpRequiredError('passkey')
    if (code !== undefined) await redeemRecoveryCode(tx, call, { code, email })
    if (!(await insertPasskey(tx, { ...credential, principalId, transports, name, now: call.now }))) {
      throw new ServiceError('conflict', 'This passkey is already registered.')
    }
    const undo =
      passkeys === 0 && email !== null ? await issueUndoLink(tx, call, { name, sessionId, email }) : undefined
    await notifySecurityChange(tx, call, { principalId, change: 'passkey_added', name, undo, email })
    const means = isSigned ? 'passkey' : meansOf(call.actor)
    const payload = { what: 'passkey', from: null, to: 'added', means, passkey_id: credential.id } as const
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
}

function issueUndoLink(
  tx: Transaction,
  call: WalletCall,
  { name, sessionId, email }: { readonly name: string; readonly sessionId: string; readonly email: string },
): Promise<string> {
  const subject = { name, session: sessionHandle(sessionId), email }
  const { principalId } = call.actor
  return issueLink(tx, call, { principalId, purpose: 'undo_passkey', subject, ttlSeconds: UNDO_TTL_SECONDS })
}

import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockActivePrincipal, savePasskeyRequirement } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import type {
  PasskeysView,
  PasskeyView,
  removePasskeyProcedure,
  renamePasskeyProcedure,
  requirePasskeysProcedure,
} from './contract'
import { notifySecurityChange } from './notify-security-change'
import { proveStepUp } from './prove-step-up'
import { webauthnRelyingParty } from './relying-party'
import { deletePasskey, type ListedPasskey, listPasskeysOf, readPasskeyStatus, savePasskeyName } from './store'

/** Returns the person's passkeys, oldest first, and whether the last one may be removed. */
export async function listPasskeys({ platform, actor }: WalletCall): Promise<PasskeysView> {
  const { required, email } = await readPasskeyStatus(platform.db, actor.principalId)
  const passkeys = await listPasskeysOf(platform.db, actor.principalId)
  return {
    available: webauthnRelyingParty(platform.config) !== null,
    required,
    last_removable: !required && email !== null,
    passkeys: passkeys.map(toView),
  }
}

function toView(row: ListedPasskey): PasskeyView {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    synced: row.backed_up,
  }
}

const buildUnknownPasskeyError = () => new ServiceError('not_found', 'There is no such passkey.')

/** Gives a passkey another name. 404 for an unknown passkey and for another person's. */
export async function renamePasskey(
  call: WalletCall,
  { id, name }: ProcedureInput<typeof renamePasskeyProcedure>,
): Promise<{ id: string }> {
  if (!(await savePasskeyName(call.platform.db, id, call.actor.principalId, name))) throw buildUnknownPasskeyError()
  return { id }
}

/**
 * Removes a passkey once the person has confirmed that, and notifies them by mail. 403 step_up_required; 404 for an
 * unknown passkey and for another person's; 409 conflict for the last one when passkeys are required or no other
 * sign-in is possible.
 */
export async function removePasskey(
  call: WalletCall,
  { id, proof }: ProcedureInput<typeof removePasskeyProcedure>,
): Promise<{ readonly id: string }> {
  const { platform, actor } = call
  const { method: means } = await proveStepUp(call, { purpose: 'passkey.remove', subject: { passkey_id: id } }, proof)
  await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, actor.principalId)
    const name = await deletePasskey(tx, id, actor.principalId)
    if (name === null) throw buildUnknownPasskeyError()
    const { passkeys, required, email } = await readPasskeyStatus(tx, actor.principalId)
    if (passkeys === 0 && required) {
      throw new ServiceError('conflict', 'Approvals need a passkey, so the last one stays. Add another one first.')
    }
    if (passkeys === 0 && email === null) {
      throw new ServiceError('conflict', 'This passkey is the only way to sign in, so it stays. Add another one first.')
    }
    await notifySecurityChange(tx, call, { principalId: actor.principalId, change: 'passkey_removed', name, email })
    const payload = { what: 'passkey', from: 'added', to: 'removed', means, passkey_id: id } as const
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
  nudgeJobs(platform)
  return { id }
}

/**
 * Sets whether approvals need a passkey. Turning that on requires a passkey (409 conflict), turning it off a
 * confirmation (403 step_up_required). Notifies the person by mail when the setting has changed.
 */
export async function setPasskeyRequirement(
  call: WalletCall,
  { required, proof }: ProcedureInput<typeof requirePasskeysProcedure>,
): Promise<{ readonly required: boolean }> {
  const { platform, actor } = call
  const action = { purpose: 'security.relax', subject: { passkey_required: false } } as const
  const means = required ? meansOf(actor) : (await proveStepUp(call, action, proof)).method
  await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, actor.principalId)
    const { passkeys, email } = await readPasskeyStatus(tx, actor.principalId)
    if (required && passkeys === 0) throw new ServiceError('conflict', 'Add a passkey first.')
    if (!(await savePasskeyRequirement(tx, actor.principalId, required))) return
    const change = required ? 'passkey_required' : 'passkey_not_required'
    await notifySecurityChange(tx, call, { principalId: actor.principalId, change, email })
    const values = { from: !required, to: required, means, passkey_id: null } as const
    await recordPersonAct(tx, call, {
      event: 'oid4ac.security.changed',
      payload: { what: 'passkey_requirement', ...values },
    })
  })
  nudgeJobs(platform)
  return { required }
}

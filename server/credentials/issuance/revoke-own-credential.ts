import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { moveStatusList, revokeCredentialPlaces } from '../../oauth/mandates'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockActivePrincipal } from '../../shared/principals'
import type { ownCredentialProcedure } from './contract'
import { buildUnknownCredentialError } from './revoke-credential'
import { revokeCredentialRow } from './store'

/** Revokes a credential about the person. Requires no step-up: ending a credential never waits. */
export async function revokeOwnCredential(
  call: WalletCall,
  { id }: ProcedureInput<typeof ownCredentialProcedure>,
): Promise<{ readonly id: string; readonly revoked_at: string }> {
  const { platform, actor, now } = call
  const { principalId } = actor
  const revokedAt = await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, principalId)
    const row = await revokeCredentialRow(tx, { id, principalId, now })
    if (row === null) throw buildUnknownCredentialError()
    if (!row.isFresh) return row.revoked_at
    const isListed = await revokeCredentialPlaces(tx, [id], now)
    const payload = { what: 'credential', from: 'active', to: 'revoked', means: meansOf(actor) } as const
    await recordPersonAct(tx, call, {
      event: 'oid4ac.credential.changed',
      payload: { ...payload, credential_id: id, offer_id: null },
    })
    if (isListed) await moveStatusList(tx)
    return row.revoked_at
  })
  return { id, revoked_at: revokedAt.toISOString() }
}

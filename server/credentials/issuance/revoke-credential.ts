import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { moveStatusList, revokeCredentialPlaces } from '../../oauth/mandates'
import { recordOperatorAct } from '../../shared/audit'
import { notifyOperatorAct } from '../../shared/notifications'
import { findPrincipal } from '../../shared/principals'
import { revokeCredentialRow } from './store'

/**
 * POST /operator/credentials/{credential_id}/revoke. Notifies the credential's person by mail. A repetition returns the
 * time of the first revocation. 404 for an unknown credential.
 */
export async function revokeCredential(
  call: OperatorCall,
  { credential_id: id }: { readonly credential_id: string },
): Promise<{ credential_id: string; revoked_at: string }> {
  const { platform, now } = call
  const revokedAt = await platform.db.transaction(async (tx) => {
    const row = await revokeCredentialRow(tx, { id, principalId: null, now })
    if (row === null) throw buildUnknownCredentialError()
    if (!row.isFresh) return row.revoked_at
    const isListed = await revokeCredentialPlaces(tx, [id], now)
    await notifyHolder(tx, call, row.principal_id)
    await recordOperatorAct(tx, call, {
      what: 'revokeCredential',
      from: 'active',
      to: 'revoked',
      subjectId: id,
      ...(row.tenant_id !== null && { person: { tenantId: row.tenant_id, principalId: row.principal_id } }),
    })
    // The status list after the audit entry, as in all revocations: another order could deadlock.
    if (isListed) await moveStatusList(tx)
    return row.revoked_at
  })
  return { credential_id: id, revoked_at: revokedAt.toISOString() }
}

async function notifyHolder(tx: Transaction, call: OperatorCall, principalId: string | null): Promise<void> {
  const person = principalId === null ? null : await findPrincipal(tx, principalId)
  if (person === null) return
  await notifyOperatorAct(tx, call, { principalId: person.id, email: person.email, act: 'credential_revoked' })
}

/** Builds the 404 for a credential that is unknown, or about another person. */
export const buildUnknownCredentialError = () => new ServiceError('not_found', 'There is no such credential.')

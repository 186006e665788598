import { type AuditActor, recordAudits } from '../audit'
import type { Transaction } from '../core/platform'
import { revokeMandatesOfFamilies } from '../mandates'

interface FamilyRow {
  id: string
  client_id: string
  principal_id: string
  tenant_id: string
}

export interface Revocation {
  /** Either one family, or every family of one client, narrowed to those for exactly these scopes. */
  readonly familyId?: string
  readonly clientId?: string
  readonly scope?: readonly string[]
  readonly reason: string
  readonly actor: AuditActor
  readonly now: Date
}

/**
 * Revokes token families with their mandates and writes one audit entry per family; families that were revoked before
 * are left as they are. The family row is what every token check reads, so once this has committed no token of it is
 * good anywhere. Returns how many families it revoked.
 */
export async function revokeFamilies(tx: Transaction, revocation: Revocation): Promise<number> {
  const { familyId = null, clientId = null, scope = null, reason, actor, now } = revocation
  const onlyScope = scope === null ? null : JSON.stringify(scope)
  const families = await tx.query<FamilyRow>(
    `UPDATE token_families SET revoked_at = $3, revoked_reason = $4
      WHERE revoked_at IS NULL AND (id = $1 OR client_id = $2)
        AND ($5::jsonb IS NULL OR (scope @> $5::jsonb AND scope <@ $5::jsonb))
     RETURNING id, client_id, principal_id, tenant_id`,
    [familyId, clientId, now, reason, onlyScope],
  )
  if (families.length === 0) return 0
  await revokeMandatesOfFamilies(
    tx,
    families.map((family) => family.id),
    now,
  )
  const records = families.map((family) => ({
    tenantId: family.tenant_id,
    principalId: family.principal_id,
    event: 'oid4ac.token.revoked' as const,
    actor,
    payload: { family_id: family.id, agent_client_id: family.client_id, reason },
    now,
  }))
  await recordAudits(tx, records)
  return families.length
}

import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { AuditActor } from '../../shared/audit'
import { eraseMandateItems } from '../mandates'
import { revokeFamiliesOfPerson } from './revoke-family'

interface ErasedTokens {
  readonly principalId: string
  readonly actor: AuditActor
  readonly now: Date
}

/**
 * Deletes the stored replies of the token endpoint to the person's agents, removes the agreed items from their token
 * families and mandates, and revokes those, each with an audit entry: only audit entries may be written afterwards.
 * Returns how many it revoked.
 */
export async function eraseTokens(tx: Transaction, { principalId, actor, now }: ErasedTokens): Promise<number> {
  await tx.query(
    sql`DELETE FROM idempotent_replies WHERE client_id IN (SELECT id FROM agents WHERE principal_id = ${principalId})`,
  )
  await tx.query(
    sql`WITH locked AS (SELECT id FROM token_families WHERE principal_id = ${principalId} ORDER BY id FOR UPDATE)
     UPDATE token_families f SET authorization_details = '[]', resources = '[]' FROM locked WHERE f.id = locked.id`,
  )
  await eraseMandateItems(tx, { principalId })
  return revokeFamiliesOfPerson(tx, { principalId, reason: 'principal_erased', actor, now })
}

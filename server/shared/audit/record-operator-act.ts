import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { PORTAL_TENANT_ID } from '../principals'
import type { AuditValue } from './events'
import { recordAudit } from './record-audit'

interface OperatorAct {
  /** The id of the operation. */
  readonly what: string
  readonly from: AuditValue
  readonly to: AuditValue
  /** The id of the changed record; null when there is none. */
  readonly subjectId: string | null
  /** The tenant that it concerns, and the person, or null for none. */
  readonly person?: { readonly tenantId: string; readonly principalId: string | null }
}

/**
 * Records what the operator did in the chain of the tenant that it concerns, or in the portal's when it concerns none.
 * Call it last in the transaction, as `recordAudit`.
 */
export function recordOperatorAct(
  tx: Transaction,
  { now }: Pick<Call, 'now'>,
  { what, from, to, subjectId, person }: OperatorAct,
): Promise<void> {
  return recordAudit(tx, {
    tenantId: person?.tenantId ?? PORTAL_TENANT_ID,
    principalId: person?.principalId ?? null,
    event: 'oid4ac.operator.acted',
    actor: { kind: 'operator', id: 'operator' },
    payload: { what, from, to, means: 'operator', subject_id: subjectId },
    now,
  })
}

import type { Config, Transaction } from '../../base/core/platform'
import { recheck, updateRefused, updateRefusedBelow } from '../../wallet/enrolments'
import { rolesOfMark } from './enrolment-terms'
import type { SubordinateRow } from './subordinate-store'

interface SubordinateChange {
  readonly before: SubordinateRow
  readonly after: SubordinateRow
  readonly now: Date
}

/**
 * Applies a change of a subordinate to the merchants and operators that depend on it, in its transaction. A withdrawal
 * holds at once; everything else is checked next.
 */
export async function noteSubordinateChange(
  tx: Transaction,
  config: Config,
  { before, after, now }: SubordinateChange,
): Promise<void> {
  const { entity_id: entityId, status } = after
  await recheck(tx, entityId, now)
  if (status !== 'active') {
    if (status === before.status) return
    await updateRefused(tx, { role: null, entityId }, { refusal: `entity_${status}`, now })
    return updateRefusedBelow(tx, entityId, now)
  }
  const lost = before.trust_mark_ids.filter((id) => !after.trust_mark_ids.includes(id))
  for (const role of lost.flatMap((id) => rolesOfMark(config, id))) {
    await updateRefused(tx, { role, entityId }, { refusal: 'mark_revoked', now })
  }
}

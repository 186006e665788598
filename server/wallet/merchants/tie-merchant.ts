import type { Transaction } from '../../base/core/platform'
import { deleteEnrolment, ensureEnrolment, lockEnrolment } from '../enrolments'
import { isTied, type MerchantRow } from './store'

interface MerchantChange {
  readonly before: MerchantRow | null
  readonly after: MerchantRow
  readonly now: Date
}

/**
 * Enrols the entity that a merchant is now tied to, and deletes the enrolment of one that no merchant is tied to any
 * more.
 */
export async function tieMerchant(tx: Transaction, { before, after, now }: MerchantChange): Promise<void> {
  const [from, to] = [before?.federation_entity_id ?? null, after.federation_entity_id]
  if (from === to) return
  if (to !== null) await ensureEnrolment(tx, { role: 'merchant', entityId: to }, now)
  if (from === null) return
  // Before the check, so that it sees a merchant that is being tied to the same entity.
  await lockEnrolment(tx, { role: 'merchant', entityId: from })
  if (!(await isTied(tx, from))) await deleteEnrolment(tx, { role: 'merchant', entityId: from })
}

import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** Deletes the person's choices about messages, with their phone and devices. */
export async function eraseChannels(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM notification_preferences WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM push_subscriptions WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM message_settings WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM notification_events WHERE principal_id = ${principalId}`)
}

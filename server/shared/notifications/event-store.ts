import type { Database, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Returns the events and channels that a person has turned off. */
export async function findMuted(db: Queryable, principalId: string): Promise<readonly string[]> {
  const [row] = await db.query<Row<'NotificationEvents', 'muted', { muted: string[] }>>(
    sql`SELECT muted FROM notification_events WHERE principal_id = ${principalId}`,
  )
  return row?.muted ?? []
}

/** Returns whether lock screens show no amounts and merchants to the person. */
export async function hidesDetails(db: Database, principalId: string): Promise<boolean> {
  const found = await db.prisma.notificationEvents.findUnique({
    select: { hides_details: true },
    where: { principal_id: principalId },
  })
  return found?.hides_details ?? false
}

/** Saves whether lock screens hide amounts and merchants, for all messages written afterwards. */
export async function saveHidesDetails(
  db: Database,
  principalId: string,
  { hides, now }: { hides: boolean; now: Date },
): Promise<void> {
  await db.prisma.notificationEvents.upsert({
    where: { principal_id: principalId },
    create: { principal_id: principalId, muted: [], hides_details: hides, updated_at: now },
    update: { hides_details: hides, updated_at: now },
  })
}

/** Replaces the events and channels that the person has turned off, as a whole. */
export async function saveMuted(
  tx: Queryable,
  principalId: string,
  { muted, now }: { muted: readonly string[]; now: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO notification_events (principal_id, muted, updated_at)
     VALUES (${principalId}, ${JSON.stringify(muted)}::jsonb, ${now})
     ON CONFLICT (principal_id) DO UPDATE SET muted = excluded.muted, updated_at = excluded.updated_at`,
  )
}

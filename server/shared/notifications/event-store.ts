import type { Database } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'

/** Returns the events and channels that a person has turned off. */
export async function findMuted(db: Database, principalId: string): Promise<readonly string[]> {
  const found = await db.prisma.notificationEvents.findUnique({
    select: { muted: true },
    where: { principal_id: principalId },
  })
  return found === null ? [] : rowOf<Row<'NotificationEvents', 'muted', { muted: string[] }>>(found).muted
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
  db: Database,
  principalId: string,
  { muted, now }: { muted: readonly string[]; now: Date },
): Promise<void> {
  await db.prisma.notificationEvents.upsert({
    where: { principal_id: principalId },
    create: { principal_id: principalId, muted, updated_at: now },
    update: { muted, updated_at: now },
  })
}

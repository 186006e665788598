import type { Database } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'

/** What a person does not want to be told through which channel. */
export async function findMuted(db: Database, principalId: string): Promise<readonly string[]> {
  const found = await db.prisma.notificationEvents.findUnique({
    select: { muted: true },
    where: { principal_id: principalId },
  })
  return found === null ? [] : rowOf<Row<'NotificationEvents', 'muted', { muted: string[] }>>(found).muted
}

/** Whether the person's lock screens are to show no amounts and shops. */
export async function hidesDetails(db: Database, principalId: string): Promise<boolean> {
  const found = await db.prisma.notificationEvents.findUnique({
    select: { hides_details: true },
    where: { principal_id: principalId },
  })
  return found?.hides_details ?? false
}

/** It holds for every message that is written afterwards. */
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

/** Replaces it as a whole. */
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

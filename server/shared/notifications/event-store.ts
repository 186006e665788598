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

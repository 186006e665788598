import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { MutableEvent } from './contract'
import type { Preferences } from './store'

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

/** The channels through which a person hears of an event; without one it is something that every channel tells. */
export async function findChannels(
  db: Queryable,
  principalId: string,
  event: MutableEvent | null,
): Promise<Preferences> {
  const [row] = await db.query<Preferences>(
    sql`SELECT coalesce(p.email_enabled, true) AND NOT coalesce(e.muted @> to_jsonb(${event ?? ''}::text || ':email'), false) AS email_enabled,
            coalesce(p.rcs_enabled, false) AND NOT coalesce(e.muted @> to_jsonb(${event ?? ''}::text || ':rcs'), false) AS rcs_enabled,
            p.rcs_phone_e164
       FROM (SELECT ${principalId}::text AS principal_id) q
       LEFT JOIN notification_preferences p USING (principal_id)
       LEFT JOIN notification_events e USING (principal_id)`,
  )
  return row ?? { rcs_enabled: false, rcs_phone_e164: null, email_enabled: true }
}

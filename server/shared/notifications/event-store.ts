import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { MutableEvent } from './contract'
import type { Preferences } from './store'

/** What a person does not want to be told through which channel. */
export async function findMuted(db: Queryable, principalId: string): Promise<readonly string[]> {
  const [row] = await db.query<{ muted: string[] }>(
    sql`SELECT muted FROM notification_events WHERE principal_id = ${principalId}`,
  )
  return row?.muted ?? []
}

/** Replaces it as a whole. */
export async function writeMuted(
  db: Queryable,
  principalId: string,
  { muted, now }: { muted: readonly string[]; now: Date },
): Promise<void> {
  await db.query(
    sql`INSERT INTO notification_events (principal_id, muted, updated_at) VALUES (${principalId}, ${JSON.stringify(muted)}::jsonb, ${now})
     ON CONFLICT (principal_id) DO UPDATE SET muted = excluded.muted, updated_at = excluded.updated_at`,
  )
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

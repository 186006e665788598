import type { Queryable } from '../core/platform'
import type { MutableEvent } from './contract'
import type { Preferences } from './store'

/** What a person does not want to be told through which channel. */
export async function findMuted(db: Queryable, principalId: string): Promise<readonly string[]> {
  const [row] = await db.query<{ muted: string[] }>('SELECT muted FROM notification_events WHERE principal_id = $1', [
    principalId,
  ])
  return row?.muted ?? []
}

/** Replaces it as a whole. */
export async function writeMuted(
  db: Queryable,
  principalId: string,
  { muted, now }: { muted: readonly string[]; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO notification_events (principal_id, muted, updated_at) VALUES ($1, $2::jsonb, $3)
     ON CONFLICT (principal_id) DO UPDATE SET muted = excluded.muted, updated_at = excluded.updated_at`,
    [principalId, JSON.stringify(muted), now],
  )
}

/** The channels through which a person hears of an event; without one it is something that every channel tells. */
export async function findChannels(
  db: Queryable,
  principalId: string,
  event: MutableEvent | null,
): Promise<Preferences> {
  const [row] = await db.query<Preferences>(
    `SELECT coalesce(p.email_enabled, true) AND NOT coalesce(e.muted @> to_jsonb($2::text || ':email'), false) AS email_enabled,
            coalesce(p.rcs_enabled, false) AND NOT coalesce(e.muted @> to_jsonb($2::text || ':rcs'), false) AS rcs_enabled,
            p.rcs_phone_e164
       FROM (SELECT $1::text AS principal_id) q
       LEFT JOIN notification_preferences p USING (principal_id)
       LEFT JOIN notification_events e USING (principal_id)`,
    [principalId, event ?? ''],
  )
  return row ?? { rcs_enabled: false, rcs_phone_e164: null, email_enabled: true }
}

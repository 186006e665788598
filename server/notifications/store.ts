import type { Queryable } from '../core/platform'

/** Through which channels a person wants to be told. */
export interface Preferences {
  readonly rcs_enabled: boolean
  readonly rcs_phone_e164: string | null
  readonly email_enabled: boolean
}

/** What holds for people who never said anything. */
export const STANDARD_PREFERENCES: Preferences = { rcs_enabled: false, rcs_phone_e164: null, email_enabled: true }

type StoredPreferences = Preferences & { readonly updated_at: Date }

export async function findPreferences(db: Queryable, principalId: string): Promise<StoredPreferences | null> {
  const [row] = await db.query<StoredPreferences>(
    `SELECT rcs_enabled, rcs_phone_e164, email_enabled, updated_at FROM notification_preferences
      WHERE principal_id = $1`,
    [principalId],
  )
  return row ?? null
}

/** Replaces the person's preferences as a whole. */
export async function writePreferences(
  db: Queryable,
  principalId: string,
  { preferences, now }: { preferences: Preferences; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO notification_preferences (principal_id, rcs_enabled, rcs_phone_e164, email_enabled, updated_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (principal_id) DO UPDATE SET
       rcs_enabled = excluded.rcs_enabled, rcs_phone_e164 = excluded.rcs_phone_e164,
       email_enabled = excluded.email_enabled, updated_at = excluded.updated_at`,
    [principalId, preferences.rcs_enabled, preferences.rcs_phone_e164, preferences.email_enabled, now],
  )
}

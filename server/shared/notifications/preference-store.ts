import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { Channel, MutableEvent } from './contract'
import { devicesSql } from './device-store'
import type { PushedDevice } from './push-message'
import {
  type MessageSettings,
  type SettingsRow,
  settingsColumnsSql,
  settingsJoinSql,
  settingsOf,
} from './settings-store'

/** The time after its confirmation from which a phone may approve limit requests. */
export const APPROVING_PHONE_AGE_HOURS = 24

const HOUR_MILLISECONDS = 3_600_000

/**
 * The channels that a person chose, and the confirmed phone, which differs from the saved one until that is confirmed.
 */
export type StoredPreferences = Row<
  'NotificationPreferences',
  'rcs_enabled' | 'rcs_phone_e164' | 'email_enabled' | 'updated_at' | 'confirmed_phone_e164' | 'phone_confirmed_at'
>

/** The channels and the phone as a person saves them. */
export type Preferences = Readonly<Pick<StoredPreferences, 'rcs_enabled' | 'rcs_phone_e164' | 'email_enabled'>>

const columns = sql`rcs_enabled, rcs_phone_e164, email_enabled, updated_at, confirmed_phone_e164, phone_confirmed_at`

export async function findPreferences(db: Queryable, principalId: string): Promise<StoredPreferences | null> {
  const [row] = await db.query<StoredPreferences>(
    sql`SELECT ${columns} FROM notification_preferences WHERE principal_id = ${principalId}`,
  )
  return row ?? null
}

/**
 * Replaces the person's preferences as a whole. The confirmed phone stays until another is confirmed or the saved phone
 * is removed; turning RCS off keeps it.
 */
export async function savePreferences(
  tx: Queryable,
  principalId: string,
  { preferences, now }: { readonly preferences: Preferences; readonly now: Date },
): Promise<void> {
  const { rcs_enabled, rcs_phone_e164, email_enabled } = preferences
  await tx.query(
    sql`INSERT INTO notification_preferences (principal_id, rcs_enabled, rcs_phone_e164, email_enabled, updated_at)
     VALUES (${principalId}, ${rcs_enabled}, ${rcs_phone_e164}, ${email_enabled}, ${now})
     ON CONFLICT (principal_id) DO UPDATE
       SET rcs_enabled = excluded.rcs_enabled, rcs_phone_e164 = excluded.rcs_phone_e164,
           email_enabled = excluded.email_enabled, updated_at = excluded.updated_at,
           confirmed_phone_e164 = CASE WHEN excluded.rcs_phone_e164 IS NOT NULL THEN notification_preferences.confirmed_phone_e164 END,
           phone_confirmed_at = CASE WHEN excluded.rcs_phone_e164 IS NOT NULL THEN notification_preferences.phone_confirmed_at END`,
  )
}

/** Marks the saved phone as confirmed. Returns false when another one was saved meanwhile. */
export async function markPhoneConfirmed(
  tx: Queryable,
  principalId: string,
  { phone, at }: { readonly phone: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE notification_preferences SET confirmed_phone_e164 = ${phone}, phone_confirmed_at = ${at}
      WHERE principal_id = ${principalId} AND rcs_phone_e164 = ${phone} RETURNING principal_id`,
  )
  return rows.length === 1
}

/** Deletes a phone that waits for its code, and one that was confirmed at this instant or later. */
export async function dropPhoneSince(tx: Queryable, principalId: string, since: Date): Promise<void> {
  await tx.query(
    sql`UPDATE notification_preferences
        SET rcs_enabled = rcs_enabled AND coalesce(phone_confirmed_at < ${since}, false),
            rcs_phone_e164 = CASE WHEN phone_confirmed_at < ${since} THEN confirmed_phone_e164 END,
            confirmed_phone_e164 = CASE WHEN phone_confirmed_at < ${since} THEN confirmed_phone_e164 END,
            phone_confirmed_at = CASE WHEN phone_confirmed_at < ${since} THEN phone_confirmed_at END
      WHERE principal_id = ${principalId}
        AND (phone_confirmed_at >= ${since} OR rcs_phone_e164 IS DISTINCT FROM confirmed_phone_e164)`,
  )
}

/** Returns whether the person uses RCS on a phone that was confirmed long enough ago to approve. */
export async function mayApproveByPhone(db: Queryable, principalId: string, now: Date): Promise<boolean> {
  const preferences = await findPreferences(db, principalId)
  return preferences?.rcs_enabled === true && isOldEnough(preferences.phone_confirmed_at, now)
}

export const isOldEnough = (confirmedAt: Date | null, now: Date): boolean =>
  confirmedAt !== null && now.getTime() - confirmedAt.getTime() >= APPROVING_PHONE_AGE_HOURS * HOUR_MILLISECONDS

/** The channels that a person gets messages through; `phone` is null when it is off or not confirmed. */
export interface ChannelsInUse {
  /** False for a person who was erased, who gets no messages. */
  readonly isActive: boolean
  readonly email: boolean
  readonly phone: string | null
  readonly phoneConfirmedAt: Date | null
  /** The devices that receive push messages. */
  readonly devices: readonly PushedDevice[]
  /** Whether devices show neither amounts nor merchants. */
  readonly hidesDetails: boolean
  /** The person's settings for language and time of messages. */
  readonly settings: MessageSettings
}

const nowhere: ChannelsInUse = {
  isActive: false,
  email: false,
  phone: null,
  phoneConfirmedAt: null,
  devices: [],
  hidesDetails: false,
  settings: { language: null, quiet: null, summaryHour: null, timeZone: 'UTC' },
}

type ChannelsRow = SettingsRow &
  Pick<StoredPreferences, 'rcs_enabled' | 'email_enabled' | 'confirmed_phone_e164' | 'phone_confirmed_at'> & {
    readonly muted: readonly string[]
    readonly devices: readonly PushedDevice[]
    readonly hides_details: boolean
  }

/**
 * Returns the channels for an event, or, without one, for a message that cannot be turned off. Mail stays on while the
 * phone that is to replace it is not confirmed.
 */
export async function findChannels(
  db: Queryable,
  principalId: string,
  event: MutableEvent | null,
): Promise<ChannelsInUse> {
  const [row] = await db.query<ChannelsRow>(
    sql`SELECT coalesce(p.email_enabled, true) AS email_enabled, coalesce(p.rcs_enabled, false) AS rcs_enabled,
            p.confirmed_phone_e164, p.phone_confirmed_at, coalesce(e.muted, '[]') AS muted,
            coalesce(e.hides_details, false) AS hides_details, (${devicesSql(sql`q.principal_id`)}) AS devices,
            ${settingsColumnsSql}
       FROM (SELECT id AS principal_id FROM active_principals WHERE id = ${principalId}) q
       LEFT JOIN notification_preferences p USING (principal_id)
       LEFT JOIN notification_events e USING (principal_id)
       ${settingsJoinSql}`,
  )
  if (row === undefined) return nowhere
  const wants = (channel: Channel) => event === null || !row.muted.includes(`${event}:${channel}`)
  const phone = row.rcs_enabled ? row.confirmed_phone_e164 : null
  const isPhoneAwaited = row.rcs_enabled && phone === null
  return {
    isActive: true,
    email: (row.email_enabled || isPhoneAwaited) && wants('email'),
    phone: wants('rcs') ? phone : null,
    phoneConfirmedAt: row.phone_confirmed_at,
    devices: wants('push') ? row.devices : [],
    hidesDetails: row.hides_details,
    settings: settingsOf(row),
  }
}

import type { Queryable } from '../../base/core/platform'
import type { Row, StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Returns this slice's rows for a person's access request (GDPR Article 15); of messages only dates and kinds. */
export async function readStoredNotifications(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [name: string]: unknown }> {
  return {
    notifications: await readChoices(db, principalId),
    message_settings: await db.query(
      sql`SELECT language, quiet_from_minute, quiet_until_minute, quiet_requests, summary_hour, updated_at
         FROM message_settings WHERE principal_id = ${principalId}`,
    ),
    push_subscriptions: await db.query(
      sql`SELECT device, language, created_at, last_ok_at, failing_since FROM push_subscriptions
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
    messages: await db.query(
      sql`SELECT channel, split_part(event_key, ':', 1) AS kind, created_at, sent_at FROM messages
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}

/**
 * Returns the channels that the person chose and the events that they turned off. Without preferences, mail is the only
 * channel.
 */
async function readChoices(db: Queryable, principalId: string) {
  const [preferences = { email_enabled: true, rcs_enabled: false }] = await db.query<StoredRows[number]>(
    sql`SELECT rcs_enabled, rcs_phone_e164, email_enabled, confirmed_phone_e164, phone_confirmed_at, updated_at
       FROM notification_preferences WHERE principal_id = ${principalId}`,
  )
  const [events] = await db.query<Row<'NotificationEvents', 'muted' | 'hides_details'>>(
    sql`SELECT muted, hides_details FROM notification_events WHERE principal_id = ${principalId}`,
  )
  return { ...preferences, muted: events?.muted ?? [], hides_details: events?.hides_details ?? false }
}

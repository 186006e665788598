import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { findPreferences, type StoredPreferences } from '../../shared/notifications'
import type { readNotificationsEndpoint, saveNotificationsEndpoint } from './contract'

/** How the caller wants to be told, or null when they never said. */
export async function readNotifications({
  platform,
  actor,
}: WalletCall): Promise<OutputOf<typeof readNotificationsEndpoint>> {
  const preferences = await findPreferences(platform.db, actor.principalId)
  return preferences === null ? null : presentPreferences(preferences)
}

/** The row as it was saved; the phone's confirmation counts for no other phone. */
export function presentPreferences(row: StoredPreferences): OutputOf<typeof saveNotificationsEndpoint> {
  const isConfirmed = row.rcs_phone_e164 !== null && row.rcs_phone_e164 === row.confirmed_phone_e164
  return {
    rcs_enabled: row.rcs_enabled,
    rcs_phone_e164: row.rcs_phone_e164,
    rcs_phone_confirmed_at: isConfirmed ? (row.phone_confirmed_at?.toISOString() ?? null) : null,
    email_enabled: row.email_enabled,
    updated_at: row.updated_at.toISOString(),
  }
}

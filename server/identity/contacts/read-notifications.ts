import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { findPreferences, type StoredPreferences } from '../../shared/notifications'
import type { readNotificationsEndpoint, saveNotificationsEndpoint } from './contract'

/** Returns the channels that the caller chose; null when they never did. */
export async function readNotifications({
  platform,
  actor,
}: WalletCall): Promise<OutputOf<typeof readNotificationsEndpoint>> {
  const preferences = await findPreferences(platform.db, actor.principalId)
  return preferences === null ? null : presentPreferences(preferences)
}

/** Returns the row in the wire's form. The time of confirmation is null unless it belongs to the saved phone. */
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

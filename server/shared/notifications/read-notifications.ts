import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import type { readNotificationsEndpoint } from './contract'
import { findPreferences } from './store'

/** How the caller wants to be told, or null when they never said. */
export async function readNotifications({
  platform,
  actor,
}: WalletCall): Promise<OutputOf<typeof readNotificationsEndpoint>> {
  const preferences = await findPreferences(platform.db, actor.principalId)
  return preferences === null ? null : { ...preferences, updated_at: preferences.updated_at.toISOString() }
}

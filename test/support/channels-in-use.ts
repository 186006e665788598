import type { Platform } from '@/server/base/core/platform'
import { markPhoneConfirmed, type Preferences, savePreferences } from '@/server/shared/notifications'

const TWO_DAYS_MILLISECONDS = 172_800_000

/** Saves a person's channels for messages. The phone, if there is one, was confirmed two days ago. */
export async function useChannels(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  principalId: string,
  { rcs_enabled = false, rcs_phone_e164: phone = null, email_enabled = true }: Partial<Preferences>,
): Promise<void> {
  const now = clock.now()
  const preferences = { rcs_enabled, rcs_phone_e164: phone, email_enabled }
  await savePreferences(db, principalId, { preferences, now })
  const at = new Date(now.getTime() - TWO_DAYS_MILLISECONDS)
  if (phone !== null) await markPhoneConfirmed(db, principalId, { phone, at })
}

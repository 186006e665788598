import type { PortalClient } from '@/components/api/client'
import type { Locale } from '@/components/i18n/locale'
import type { KeptDevice } from '@/server/identity/contacts/contract'
import { noteHandedIn, readLastHandedIn, readSubscription, toHanded } from './browser'

/** Registers this browser's subscription at the server, and returns which of the person's devices it is. */
export async function handIn(client: PortalClient, locale: Locale): Promise<KeptDevice> {
  const subscription = await readSubscription()
  if (subscription === null) return { id: null }
  const handed = toHanded(subscription, locale)
  const last = readLastHandedIn()
  const replaces = last === null || last === handed.endpoint ? {} : { replaces: last }
  const kept = await client.notifications.keepDevice.mutate({ ...handed, ...replaces })
  if (kept.id !== null) noteHandedIn(handed.endpoint)
  return kept
}

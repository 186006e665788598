import type { Locale } from '@/components/i18n/locale'
import type { HandedSubscription } from '@/server/identity/contacts/contract'

const WORKER = '/sw.js'
/**
 * The storage key of the endpoint that was last registered, by which the server recognises a browser whose push service
 * gave it a new one.
 */
const LAST_ENDPOINT = 'push-endpoint'

/** Whether this browser supports push messages; on an iPhone only once the portal is on the home screen. */
export type PushSupport = 'supported' | 'install_first' | 'unsupported'

export function readPushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported'
  return /iPhone|iPad|iPod/.test(navigator.userAgent) ? 'install_first' : 'unsupported'
}

/** Returns this browser's subscription; null without one, or without the person's permission. */
export async function readSubscription(): Promise<PushSubscription | null> {
  if (readPushSupport() !== 'supported' || Notification.permission !== 'granted') return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Thrown when the person, or their browser, does not let this page show messages. */
export class PushBlockedError extends Error {
  override readonly name = 'PushBlockedError'
}

/** Asks for permission and subscribes under the server's key. Call it while a press is being handled. */
export async function subscribeBrowser(serverKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushBlockedError()
  await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  if (known !== null && isUnder(known, serverKey)) return known
  await known?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey })
}

function isUnder({ options }: PushSubscription, serverKey: string): boolean {
  if (options.applicationServerKey === null) return false
  const bytes = String.fromCodePoint(...new Uint8Array(options.applicationServerKey))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === serverKey
}

/** Returns a subscription in the server's form. Made-up languages are sent as English. */
export function toHanded(subscription: PushSubscription, locale: Locale): HandedSubscription {
  const { endpoint, keys } = subscription.toJSON()
  return {
    endpoint: endpoint ?? '',
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    language: locale === 'de' ? 'de' : 'en',
  }
}

export const noteHandedIn = (endpoint: string): void => localStorage.setItem(LAST_ENDPOINT, endpoint)
export const readLastHandedIn = (): string | null => localStorage.getItem(LAST_ENDPOINT)

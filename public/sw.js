/**
 * Shows the messages of the wallet while no page is open. It answers no request and keeps nothing: pages hold what is
 * personal, and are always fetched.
 */

/** @param {PushEvent} event */
function readMessage(event) {
  try {
    return event.data?.json() ?? {}
  } catch {
    return {}
  }
}

/** Every push shows something: browsers take the subscription away from a page that stays silent. */
self.addEventListener('push', (event) => {
  const { title, body, url, tag, lang } = readMessage(event)
  const options = {
    body: body ?? '',
    tag: tag ?? 'countersign',
    renotify: true,
    lang: lang ?? 'en',
    icon: '/icons/icon-192.png',
    badge: '/icons/icon-192.png',
    data: { url: url ?? '/' },
  }
  event.waitUntil(self.registration.showNotification(title ?? 'Countersign', options))
})

/** Opens the page of the message, in a window that is there already where there is one. Nothing is decided here. */
async function openPage(path) {
  const target = new URL(path, self.location.origin)
  // A message names a page of this server, whatever it says.
  const url = target.origin === self.location.origin ? target.href : self.location.origin
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const known = windows.find((client) => client.url === url) ?? windows[0]
  if (known === undefined) return self.clients.openWindow(url)
  const shown = known.url === url ? known : await known.navigate(url).catch(() => null)
  return shown === null ? self.clients.openWindow(url) : shown.focus()
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.url ?? '/'))
})

/** The push service gave the browser another address. Without a session the next page that is opened hands it in. */
async function handIn({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options
  const subscription =
    newSubscription ?? (options === undefined ? null : await self.registration.pushManager.subscribe(options))
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  const language = self.navigator.language.startsWith('de') ? 'de' : 'en'
  const replaces = oldSubscription ? { replaces: oldSubscription.endpoint } : {}
  await fetch('/api/trpc/notifications.keepDevice', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, language, ...replaces }),
  })
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(handIn(event).catch(() => undefined))
})

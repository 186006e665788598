import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { notificationsTexts } from '@/components/notifications/messages'
import { NotificationsView } from '@/components/notifications/notifications-view'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = (await readText(notificationsTexts)).notifications
  return { title, description }
}

export default async function Notifications() {
  const api = await portal()
  const [me, choice, events, contacts, devices, settings] = await Promise.all([
    readMe(),
    api.notifications.read(),
    api.notifications.events(),
    api.notifications.contacts(),
    api.notifications.devices(),
    api.notifications.settings(),
  ])
  return (
    <NotificationsView
      initial={choice}
      events={events}
      contacts={contacts}
      devices={devices}
      settings={settings}
      phoneMessages={me.phone_messages}
    />
  )
}

import type { Metadata } from 'next'
import { settingsText } from '@/components/settings/messages'
import { NotificationsView } from '@/components/settings/notifications-view'
import { portal } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: settingsText.notifications.title }

export default async function Notifications() {
  const api = await portal()
  const [me, choice] = await Promise.all([api.session.me(), api.notifications.read()])
  return <NotificationsView initial={choice} email={me.principal.email} phoneMessages={me.phone_messages} />
}

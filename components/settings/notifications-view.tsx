'use client'

import { useQuery } from '@tanstack/react-query'
import type { NotificationChoice } from '@/components/lib/api-types'
import { onWire } from '@/components/lib/on-wire'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { useTRPC } from '@/server/trpc/client'
import { settingsText } from './messages'
import { NotificationsForm } from './notifications-form'

const text = settingsText.notifications

interface NotificationsViewProps {
  readonly initial: NotificationChoice
  readonly email: string | null
  /** Whether there is a carrier for phone messages. */
  readonly phoneMessages: boolean
}

export function NotificationsView({ initial, email, phoneMessages }: NotificationsViewProps) {
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.notifications.read.queryOptions(), initialData: onWire(initial) })
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <NotificationsForm choice={data} email={email} phoneMessages={phoneMessages} />
      <Notice tone="info">{text.always}</Notice>
    </>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type {
  ContactsView,
  EventChoice,
  MessageSettingsView,
  NotificationChoice,
  PushDevicesView,
} from '@/components/lib/api-types'
import { PushSection } from '@/components/push/push-section'
import { Section } from '@/components/ui/card'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { ConfirmPhone } from './confirm-phone'
import { EmailAddress } from './email-address'
import { EmailRow } from './email-row'
import { EventChoices } from './event-choices'
import { InUse } from './in-use'
import { MessageSettings } from './message-settings'
import { notificationsTexts } from './messages'
import { PhoneRow } from './phone-row'

interface NotificationsViewProps {
  readonly initial: NotificationChoice
  readonly events: EventChoice
  readonly contacts: ContactsView
  readonly devices: PushDevicesView
  readonly settings: MessageSettingsView
  /** Whether there is a carrier for phone messages. */
  readonly phoneMessages: boolean
}

export function NotificationsView({
  initial,
  events,
  contacts: initialContacts,
  devices: initialDevices,
  settings,
  phoneMessages,
}: NotificationsViewProps) {
  const text = useText(notificationsTexts).notifications
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.notifications.read.queryOptions(), initialData: initial })
  const { data: contacts } = useQuery({ ...trpc.notifications.contacts.queryOptions(), initialData: initialContacts })
  const { data: devices } = useQuery({ ...trpc.notifications.devices.queryOptions(), initialData: initialDevices })
  const hasPhone = phoneMessages || data?.rcs_enabled === true
  const channels = [
    'email' as const,
    ...(hasPhone ? (['rcs'] as const) : []),
    ...(devices.devices.length > 0 ? (['push'] as const) : []),
  ]
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <PushSection devices={devices} />
      <EmailRow choice={data} contacts={contacts} />
      {hasPhone ? <PhoneRow choice={data} contacts={contacts} /> : null}
      {phoneMessages ? <ConfirmPhone phone={contacts.phone} /> : null}
      {contacts.told_by.length > 0 ? null : (
        <Notice tone="warning" role="status">
          {text.nobodyTold}
        </Notice>
      )}
      <InUse contacts={contacts} />
      <MessageSettings initial={settings} />
      <Section id="events" title={text.events.title}>
        <EventChoices initial={events} channels={channels} />
      </Section>
      <EmailAddress contacts={contacts} />
      <Notice tone="info">{text.always}</Notice>
    </>
  )
}

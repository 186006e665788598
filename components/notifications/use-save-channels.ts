import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import type { ContactsView, NotificationChoice } from '@/components/lib/api-types'
import { useRelaxing } from '@/components/security/use-relaxing'
import {
  type ChannelChoice,
  DEFAULT_CHOICE,
  type RelaxedChannels,
  relaxedChannels,
} from '@/server/identity/contacts/input'

/** The choices and contacts that the rows of the channels show and change. */
export interface ChannelsProps {
  readonly choice: NotificationChoice
  readonly contacts: ContactsView
}

/** Saves one row's change at once; a change that relaxes something is confirmed first. */
export function useSaveChannels({ choice, contacts }: ChannelsProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(trpc.notifications.save.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const { asked, ask, dialog } = useRelaxing<ChannelChoice, RelaxedChannels>(save)
  const { rcs_enabled, rcs_phone_e164, email_enabled } = choice ?? DEFAULT_CHOICE
  const current: ChannelChoice = { rcs_enabled, rcs_phone_e164, email_enabled }
  const change = (part: Partial<ChannelChoice>) => {
    if (save.isPending) return
    const wanted = { ...current, ...part }
    const subject = relaxedChannels(choice && { ...choice, phone_in_use: contacts.phone.in_use }, wanted)
    if (subject === null) save.mutate(wanted)
    else ask({ change: wanted, subject })
  }
  return { save, change, dialog, from: current, to: asked?.change ?? current }
}

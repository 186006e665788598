'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { ContactsView, NotificationChoice } from '@/components/lib/api-types'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Card } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { SaveRow } from '@/components/ui/save-row'
import {
  type ChannelChoice,
  DEFAULT_CHOICE,
  type RelaxedChannels,
  relaxedChannels,
} from '@/server/identity/contacts/input'
import { InUse } from './in-use'
import { notificationsTexts } from './messages'
import { draftOf, type NotificationsDraft, readDraft } from './notifications-draft'

interface NotificationsFormProps {
  readonly choice: NotificationChoice
  readonly contacts: ContactsView
  readonly phoneMessages: boolean
}

export function NotificationsForm({ choice, contacts, phoneMessages }: NotificationsFormProps) {
  const text = useText(notificationsTexts).notifications
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<NotificationsDraft>(() => draftOf(choice))
  const [error, setError] = useState<string>()
  const [base, setBase] = useState(choice)
  const phone = useRef<HTMLInputElement>(null)
  // People who once chose a channel can turn it off even where the server no longer offers it.
  const offersPhone = phoneMessages || choice?.rcs_enabled === true
  // Saved here or on another device: what is stored now is what there is to edit.
  if (choice?.updated_at !== base?.updated_at) {
    setBase(choice)
    setDraft(draftOf(choice))
    setError(undefined)
  }
  const save = useMutation(trpc.notifications.save.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const { asked, ask, dialog } = useRelaxing<ChannelChoice, RelaxedChannels>(save)
  const change = (part: Partial<NotificationsDraft>) => {
    setDraft({ ...draft, ...part })
    setError(undefined)
    save.reset()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const read = readDraft(draft, text)
    setError(read.error)
    if (read.choice === undefined) phone.current?.focus()
    else if (!save.isPending) send(read.choice)
  }
  const send = (wanted: ChannelChoice) => {
    const subject = relaxedChannels(choice && { ...choice, phone_in_use: contacts.phone.in_use }, wanted)
    if (subject === null) save.mutate(wanted)
    else ask({ change: wanted, subject })
  }
  return (
    <Card>
      <form onSubmit={submit} noValidate className="grid gap-5">
        <Channels draft={draft} email={contacts.email} offersPhone={offersPhone} onChange={change} />
        {offersPhone ? (
          <Field label={text.phone} hint={text.phoneHint} error={error} className="sm:max-w-sm">
            <Input
              ref={phone}
              type="tel"
              autoComplete="tel"
              required={draft.rcs}
              value={draft.phone}
              onChange={(event) => change({ phone: event.target.value })}
              className="tabular-nums"
            />
          </Field>
        ) : null}
        {draft.email || draft.rcs ? null : (
          <Notice tone="warning" role="status">
            {text.nobodyTold}
          </Notice>
        )}
        <SaveRow label={text.save} saved={text.saved} save={dialog.open ? { ...save, error: null } : save} />
        <InUse contacts={contacts} />
      </form>
      <RelaxDialog
        dialog={dialog}
        title={text.relax.title}
        from={waysOf(choice, contacts.email, text)}
        to={waysOf(asked?.change ?? choice, contacts.email, text)}
      >
        <p>{text.relax.body}</p>
      </RelaxDialog>
    </Card>
  )
}

/** The channels that a choice turns on, in words. */
function waysOf(
  choice: ChannelChoice | null,
  email: string | null,
  text: TextOf<typeof notificationsTexts>['notifications'],
) {
  const { email_enabled: byMail, rcs_enabled: byPhone, rcs_phone_e164: phone } = choice ?? DEFAULT_CHOICE
  const ways = [byMail ? (email ?? text.email.label) : null, byPhone ? phone : null].filter((way) => way !== null)
  return ways.length === 0 ? text.relax.nothing : ways.join(', ')
}

interface ChannelsProps {
  readonly draft: NotificationsDraft
  readonly email: string | null
  readonly offersPhone: boolean
  readonly onChange: (part: Partial<NotificationsDraft>) => void
}

function Channels({ draft, email, offersPhone, onChange }: ChannelsProps) {
  const text = useText(notificationsTexts).notifications
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 text-lg font-semibold tracking-tight">{text.channels}</legend>
      <Choice
        id="channel-email"
        kind="checkbox"
        label={text.email.label}
        hint={<span className="wrap-break-word">{email === null ? text.email.noAddress : text.email.hint(email)}</span>}
        checked={draft.email}
        onChange={(event) => onChange({ email: event.target.checked })}
      />
      {offersPhone ? (
        <Choice
          id="channel-rcs"
          kind="checkbox"
          label={text.rcs.label}
          hint={text.rcs.hint}
          checked={draft.rcs}
          onChange={(event) => onChange({ rcs: event.target.checked })}
        />
      ) : null}
    </fieldset>
  )
}

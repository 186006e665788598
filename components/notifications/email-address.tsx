'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { ContactsView } from '@/components/lib/api-types'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { SaveRow } from '@/components/ui/save-row'
import { MAIL_ADDRESS, MAIL_ADDRESS_MAX } from '@/server/base/core/sign-in-input'
import { notificationsTexts } from './messages'

type EmailChange = {
  readonly email: { readonly from: string | null; readonly to: string }
}

/** Shows the address for messages and sign-in links, and lets the person change it. */
export function EmailAddress({ contacts }: { readonly contacts: ContactsView }) {
  const text = useText(notificationsTexts).notifications.address
  const { email, pending_email: pending } = contacts
  return (
    <Section id="address" title={text.title} description={email === null ? text.none : text.inUse(email)}>
      {pending === null ? null : <PendingAddress pending={pending} />}
      <Card>
        <AddressForm email={email} />
      </Card>
    </Section>
  )
}

function PendingAddress({ pending }: { readonly pending: NonNullable<ContactsView['pending_email']> }) {
  const text = useText(notificationsTexts).notifications.address
  const format = useFormat()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const cancel = useMutation(
    trpc.notifications.cancelEmailChange.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  return (
    <Notice
      tone="info"
      role="status"
      action={
        <Button variant="secondary" size="sm" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {text.cancel}
        </Button>
      }
    >
      <p className="wrap-break-word">{text.pending(pending.email, format.time(pending.expires_at, 'moment'))}</p>
      {cancel.isError ? <RequestFailure error={cancel.error} /> : null}
    </Notice>
  )
}

function AddressForm({ email }: Pick<ContactsView, 'email'>) {
  const text = useText(notificationsTexts).notifications.address
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const save = useMutation(
    trpc.notifications.changeEmail.mutationOptions({
      onSuccess: () => setTyped(''),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const { asked, ask, dialog } = useRelaxing<{ email: string }, EmailChange>(save)
  const submit = () => {
    const to = typed.trim()
    const isAddress = MAIL_ADDRESS.test(to) && to.length <= MAIL_ADDRESS_MAX
    const isSame = to.toLowerCase() === email?.toLowerCase()
    setError(isAddress ? (isSame ? text.same : undefined) : text.bad)
    if (isAddress && !isSame) ask({ change: { email: to }, subject: { email: { from: email, to } } })
  }
  return (
    <Form onSubmit={submit} className="grid gap-5">
      <Field label={text.label} hint={text.hint} error={error} className="sm:max-w-sm">
        <Input
          type="email"
          autoComplete="email"
          required
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
            save.reset()
          }}
        />
      </Field>
      <SaveRow label={text.submit} saved={text.sent} save={dialog.open ? { ...save, error: null } : save} />
      <RelaxDialog
        dialog={dialog}
        title={text.confirm.title}
        from={email ?? text.confirm.nothing}
        to={asked?.subject.email.to ?? ''}
      >
        <p>{text.confirm.body}</p>
      </RelaxDialog>
    </Form>
  )
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PrivacyView } from '@/components/lib/api-types'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { SaveRow } from '@/components/ui/save-row'
import { freeTextRefusal } from '@/server/base/core/free-text'
import { MAIL_ADDRESS, MAIL_ADDRESS_MAX } from '@/server/base/core/sign-in-input'
import { privacyTexts } from './messages'
import { Done, Right } from './right'

const NAME_MAX = 100

/** Lets the person correct their name and address. */
export function CorrectRight({ view }: { readonly view: PrivacyView }) {
  const text = useText(privacyTexts).correct
  const { principal, pending_email: pending } = view
  return (
    <Right id="correct" title={text.title} body={text.body}>
      <NameForm name={principal.display_name} />
      <Done>{pending === null ? null : text.pending(pending.email)}</Done>
      <EmailForm email={principal.email} />
    </Right>
  )
}

function NameForm({ name }: { readonly name: string | null }) {
  const text = useText(privacyTexts).correct
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(name ?? '')
  const [error, setError] = useState<string>()
  const save = useMutation(trpc.privacy.rectify.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const submit = () => {
    const line = typed.trim()
    const isFit = freeTextRefusal(line) === null && Array.from(line).length <= NAME_MAX
    setError(isFit ? undefined : text.nameBad)
    if (isFit) save.mutate({ display_name: line === '' ? null : line })
  }
  return (
    <Form onSubmit={submit} className="grid gap-3">
      <Field label={text.name} hint={text.nameHint} error={error}>
        <Input
          autoComplete="name"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setError(undefined)
            save.reset()
          }}
        />
      </Field>
      <SaveRow label={text.saveName} saved={text.savedName} save={save} />
    </Form>
  )
}

type EmailChange = { readonly email: { readonly from: string | null; readonly to: string } }

function EmailForm({ email }: { readonly email: string | null }) {
  const text = useText(privacyTexts).correct
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const save = useMutation(trpc.privacy.rectify.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const { asked, ask, dialog } = useRelaxing<{ email: string }, EmailChange>(save)
  const submit = () => {
    const to = typed.trim()
    const isAddress = MAIL_ADDRESS.test(to) && to.length <= MAIL_ADDRESS_MAX
    const isSame = to.toLowerCase() === email?.toLowerCase()
    setError(isAddress ? (isSame ? text.emailSame : undefined) : text.emailBad)
    if (isAddress && !isSame) ask({ change: { email: to }, subject: { email: { from: email, to } } })
  }
  return (
    <Form onSubmit={submit} className="grid gap-3">
      <Field label={text.email} hint={text.emailHint(email)} error={error}>
        <Input
          type="email"
          autoComplete="email"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setError(undefined)
            save.reset()
          }}
        />
      </Field>
      <SaveRow label={text.saveEmail} saved={text.savedEmail} save={dialog.open ? { ...save, error: null } : save} />
      <RelaxDialog dialog={dialog} title={text.ask} from={email ?? text.nothing} to={asked?.subject.email.to ?? ''}>
        <p>{text.askBody}</p>
      </RelaxDialog>
    </Form>
  )
}

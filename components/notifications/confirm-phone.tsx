'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { ContactsView } from '@/components/lib/api-types'
import { readRequestError } from '@/components/lib/request-error'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { CODE_DIGITS } from '@/server/identity/contacts/input'
import { notificationsTexts } from './messages'

/** Asks for the code that confirms a new number, and afterwards says that it is confirmed. */
export function ConfirmPhone({ phone }: Pick<ContactsView, 'phone'>) {
  const text = useText(notificationsTexts).notifications.code
  const [done, setDone] = useState(false)
  const isWaiting = phone.waiting !== null
  return (
    <>
      <div role="status" className="empty:hidden">
        {done && !isWaiting ? <Notice tone="success">{text.done}</Notice> : null}
      </div>
      {isWaiting ? (
        <Section id="confirm-phone" title={text.title}>
          <Card className="grid gap-5">
            <p className="max-w-prose">{wordsOf(phone, text)}</p>
            <CodeForm onDone={() => setDone(true)} />
          </Card>
        </Section>
      ) : null}
    </>
  )
}

function wordsOf(
  { waiting, in_use: inUse, code_expires_at: expiry }: ContactsView['phone'],
  text: TextOf<typeof notificationsTexts>['notifications']['code'],
): string {
  const number = waiting ?? ''
  const state = expiry === null ? text.needed(number) : text.sent(number)
  return `${state} ${inUse === null ? text.untilThen : text.untilThenPhone(inUse)}`
}

function CodeForm({ onDone }: { readonly onDone: () => void }) {
  const text = useText(notificationsTexts).notifications.code
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const confirm = useMutation(
    trpc.notifications.confirmPhone.mutationOptions({
      onSuccess: onDone,
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const resend = useMutation(
    trpc.notifications.sendCode.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  const refusals: Readonly<Record<string, string>> = { invalid_request: text.wrong, conflict: text.over }
  const refusal = confirm.isError ? refusals[readRequestError(confirm.error).code ?? ''] : undefined
  const change = (typed: string) => {
    setCode(typed)
    setError(undefined)
    confirm.reset()
  }
  const submit = () => {
    const digits = code.replace(/\s/g, '')
    const isCode = CODE_DIGITS.test(digits)
    setError(isCode ? undefined : text.malformed)
    if (isCode && !confirm.isPending) confirm.mutate({ code: digits }, { onError: () => field.current?.focus() })
  }
  const send = () => {
    change('')
    resend.mutate()
    field.current?.focus()
  }
  return (
    <Form onSubmit={submit} className="grid gap-5">
      <Field label={text.label} hint={text.hint} error={error ?? refusal} className="sm:max-w-sm">
        <Input
          ref={field}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          required
          value={code}
          onChange={(event) => change(event.target.value)}
          className="tabular-nums"
        />
      </Field>
      {confirm.isError && refusal === undefined ? <RequestFailure error={confirm.error} /> : null}
      {resend.isError ? <RequestFailure error={resend.error} /> : null}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" busy={confirm.isPending}>
          {text.submit}
        </Button>
        <Button variant="secondary" busy={resend.isPending} onClick={send}>
          {text.resend}
        </Button>
        <p role="status" className="font-medium text-success empty:hidden">
          {resend.isSuccess ? text.resent : null}
        </p>
      </div>
    </Form>
  )
}

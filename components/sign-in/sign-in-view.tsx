'use client'

import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { signInRequest } from '@/server/sessions/contract'
import { requestSignInLink, signInAsDemo } from '@/server/trpc/client'
import { signInText } from './messages'
import { keepReturnPath } from './return-path'

interface SignInViewProps {
  readonly next: string
  readonly sandbox: boolean
}

export function SignInView({ next, sandbox }: SignInViewProps) {
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | undefined>()
  const request = useMutation({ mutationFn: requestSignInLink, onSuccess: () => keepReturnPath(next) })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const valid = signInRequest.safeParse({ email })
    setError(valid.success ? undefined : signInText.badEmail)
    if (valid.success && !request.isPending) request.mutate(valid.data.email)
  }
  if (request.data?.ok === true)
    return <Sent email={request.variables ?? email} sandbox={sandbox} onOther={request.reset} />
  return (
    <>
      <header className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">{signInText.title}</h1>
        <p className="text-muted">{signInText.lead}</p>
      </header>
      <form onSubmit={submit} noValidate className="grid gap-5">
        <Field label={signInText.email} error={error}>
          <Input
            type="email"
            name="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            required
          />
        </Field>
        {request.data?.ok === false ? (
          <Notice tone="danger" role="alert">
            {request.data.message}
          </Notice>
        ) : null}
        <Button type="submit" size="lg" busy={request.isPending}>
          {signInText.submit}
        </Button>
      </form>
      {sandbox ? <DemoSignIn next={next} /> : null}
    </>
  )
}

function DemoSignIn({ next }: { readonly next: string }) {
  const demo = useMutation({
    mutationFn: signInAsDemo,
    onSuccess: (outcome) => {
      if (outcome.ok) window.location.assign(next)
    },
  })
  return (
    <section aria-label={signInText.demo.or} className="grid gap-4 border-t border-line pt-6">
      <Button
        variant="secondary"
        size="lg"
        busy={demo.isPending || demo.data?.ok === true}
        onClick={() => demo.mutate()}
      >
        {signInText.demo.button}
      </Button>
      {demo.data?.ok === false ? (
        <Notice tone="danger" role="alert">
          {demo.data.message}
        </Notice>
      ) : null}
      <Outbox />
    </section>
  )
}

function Outbox() {
  return (
    <p className="text-sm text-muted">
      {signInText.demo.hint}{' '}
      <a
        href="/sandbox/outbox"
        className="inline-flex min-h-6 items-center font-medium text-accent underline underline-offset-4"
      >
        {signInText.demo.outbox}
      </a>
    </p>
  )
}

interface SentProps {
  readonly email: string
  readonly sandbox: boolean
  readonly onOther: () => void
}

function Sent({ email, sandbox, onOther }: SentProps) {
  return (
    <div role="status" className="grid gap-5">
      <MailCheck aria-hidden className="size-10 text-accent" />
      <h1 className="text-3xl font-semibold tracking-tight">{signInText.sent.title}</h1>
      <p className="wrap-anywhere text-muted">{signInText.sent.body(email)}</p>
      {sandbox ? <Outbox /> : null}
      <Button variant="secondary" onClick={onOther}>
        {signInText.sent.other}
      </Button>
    </div>
  )
}

'use client'

import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type Ref, useEffect, useRef, useState } from 'react'
import { requestSignInLink, signInAsDemo } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { expireKeptPage } from '@/components/layout/kept-page'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { SectionLink } from '@/components/ui/text-link'
import type { SandboxMode } from '@/server/base/core/sandbox-mode'
import { MAIL_ADDRESS, MAIL_ADDRESS_MAX } from '@/server/base/core/sign-in-input'
import { signInTexts } from './messages'
import { PasskeySignIn } from './passkey-sign-in'
import { keepReturnPath } from './return-path'
import { SignInFailure } from './sign-in-failure'

interface SignInViewProps {
  readonly next: string
  readonly sandbox: SandboxMode
  /** Whether a passkey may sign in here. */
  readonly passkeys: boolean
  /** The address and sign-in time of a signed-in person who signs in again; null for others. */
  readonly again: { readonly email: string | null; readonly signedInAt: number } | null
}

export function SignInView({ next, sandbox, passkeys, again }: SignInViewProps) {
  const signInText = useText(signInTexts)
  const words = again === null ? signInText : signInText.again
  const [email, setEmail] = useState(again?.email ?? '')
  const [error, setError] = useState<string | undefined>()
  const request = useMutation({ mutationFn: requestSignInLink, onSuccess: () => keepReturnPath(next) })
  useReturnWhenSignedIn(next, again)
  // The tab keeps what was typed for an hour at most.
  useEffect(expireKeptPage, [])
  const isSent = request.data?.ok === true
  const heading = useFocusOnChange(isSent)
  const submit = () => {
    const address = email.trim()
    const isAddress = MAIL_ADDRESS.test(address) && address.length <= MAIL_ADDRESS_MAX
    setError(isAddress ? undefined : signInText.badEmail)
    if (isAddress && !request.isPending) request.mutate(address)
  }
  if (request.data?.ok === true)
    return (
      <Sent
        heading={heading}
        email={request.variables ?? email}
        code={request.data.code}
        showsOutbox={sandbox === 'local'}
        onOther={request.reset}
      />
    )
  return (
    <>
      <header className="grid gap-2">
        <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold tracking-tight outline-none">
          {words.title}
        </h1>
        <p className="text-muted">{words.lead}</p>
      </header>
      {passkeys ? <PasskeySignIn next={next} /> : null}
      <Form method="post" onSubmit={submit} className="grid gap-5">
        <Field label={signInText.email} error={error}>
          <Input
            type="email"
            name="email"
            autoComplete="username webauthn"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            required
          />
        </Field>
        <SignInFailure outcome={request.data} />
        <Button type="submit" size="lg" variant={passkeys ? 'secondary' : 'primary'} busy={request.isPending}>
          {signInText.submit}
        </Button>
      </Form>
      {sandbox === 'local' ? <DemoSignIn next={next} /> : null}
      {again === null ? null : <SectionLink href={next}>{signInText.again.back}</SectionLink>}
    </>
  )
}

/** Moves the focus to the heading of the content that replaces the pressed button. */
function useFocusOnChange(shown: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current !== shown) heading.current?.focus()
    before.current = shown
  }, [shown])
  return heading
}

/** Goes on to `next` once the mailed link has signed the person in in another tab, with what was typed in this one. */
function useReturnWhenSignedIn(next: string, again: SignInViewProps['again']): void {
  const router = useRouter()
  const signedInAt = again?.signedInAt ?? null
  const [before] = useState(signedInAt)
  useEffect(() => {
    // The server redirects on its own where the person was not signed in before.
    if (signedInAt !== null && signedInAt !== before) window.location.assign(next)
  }, [next, signedInAt, before])
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') router.refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [router])
}

function DemoSignIn({ next }: { readonly next: string }) {
  const signInText = useText(signInTexts)
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
      <SignInFailure outcome={demo.data} refused={signInText.failure.no_demo} />
      <Outbox />
    </section>
  )
}

function Outbox() {
  const signInText = useText(signInTexts)
  return (
    <p className="text-sm text-muted">
      {signInText.demo.hint}{' '}
      <a
        href="/sandbox/outbox"
        className="inline-flex min-h-6 items-center font-medium text-accent underline underline-offset-4"
      >
        {signInText.demo.outbox}
      </a>
      .
    </p>
  )
}

interface SentProps {
  readonly heading: Ref<HTMLHeadingElement>
  readonly email: string
  readonly code: string
  readonly showsOutbox: boolean
  readonly onOther: () => void
}

function Sent({ heading, email, code, showsOutbox, onOther }: SentProps) {
  const signInText = useText(signInTexts)
  return (
    <div className="grid gap-5">
      <MailCheck aria-hidden className="size-10 text-accent" />
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold tracking-tight outline-none">
        {signInText.sent.title}
      </h1>
      <p className="wrap-anywhere text-muted">{signInText.sent.body(email)}</p>
      <dl className="grid gap-1 rounded-card border border-line p-4">
        <dt className="font-medium">{signInText.sent.code}</dt>
        <dd className="font-mono text-2xl tracking-widest">{code}</dd>
        <dd className="text-sm text-muted">{signInText.sent.codeHint}</dd>
      </dl>
      {showsOutbox ? <Outbox /> : null}
      <Button variant="secondary" onClick={onOther}>
        {signInText.sent.other}
      </Button>
    </div>
  )
}

'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirmSignIn, readSignInLink } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button, ButtonLink } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { landingPath } from '@/server/base/core/sign-in-input'
import type { SignInLinkView } from '@/server/identity/sessions/contract'
import { signInTexts } from './messages'
import { takeReturnPath } from './return-path'
import { SignInFailure } from './sign-in-failure'
import { forgetAddressToken, useAddressToken } from './use-address-token'

const CODE = /^\d{6}$/

/**
 * Confirms a sign-in link. Mail scanners follow links, and some press buttons, so only the person's press uses the
 * token.
 */
export function ConfirmView() {
  const text = useText(signInTexts).confirm
  const hydrated = useHydrated()
  const token = useAddressToken()
  if (hydrated && token === null) return <Useless words={text.missing} />
  return <Link token={token} />
}

function Link({ token }: { readonly token: string | null }) {
  const text = useText(signInTexts).confirm
  const { data: reading, refetch } = useQuery({
    queryKey: ['sign-in-link', token],
    queryFn: () => readSignInLink(token ?? ''),
    enabled: token !== null,
  })
  const confirm = useMutation({
    mutationFn: confirmSignIn,
    onSuccess: (outcome) => {
      if (outcome.ok) {
        forgetAddressToken()
        window.location.assign(landingPath(takeReturnPath()))
      } else if (outcome.code === 'invalid_token') void refetch()
    },
  })
  const isDone = confirm.data?.ok === true
  // Once used by this page, the link reads as refused too.
  const refusal = reading?.ok === false && !isDone ? reading : null
  if (refusal?.code === 'invalid_token') return <Useless words={text.used} />
  const link = reading?.ok === true ? reading.link : null
  return (
    <>
      <header className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
        {link === null ? null : <p className="wrap-anywhere font-medium">{text.whose(link.email)}</p>}
        <p className="text-muted">{text.body}</p>
      </header>
      {refusal === null ? (
        <Proof
          link={link}
          busy={confirm.isPending || isDone}
          outcome={confirm.data}
          onConfirm={(code) => confirm.mutate({ token: token ?? '', ...code })}
        />
      ) : (
        <SignInFailure outcome={refusal} action={<Again />} />
      )}
    </>
  )
}

interface ProofProps {
  /** What the link would do; null until it was read. */
  readonly link: SignInLinkView | null
  readonly busy: boolean
  readonly outcome: Awaited<ReturnType<typeof confirmSignIn>> | undefined
  readonly onConfirm: (proof: { readonly code?: string }) => void
}

function Proof({ link, busy, outcome, onConfirm }: ProofProps) {
  const text = useText(signInTexts).confirm
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  // The link was requested in another browser, which shows the code.
  const asksCode = link?.asks_code === true
  const submit = () => {
    const digits = code.replaceAll(/\s/g, '')
    const isWhole = !asksCode || CODE.test(digits)
    setError(isWhole ? undefined : text.elsewhere.bad)
    if (isWhole && !busy) onConfirm(asksCode ? { code: digits } : {})
  }
  return (
    <Form method="post" onSubmit={submit} className="grid gap-5">
      {asksCode ? (
        <>
          <Notice tone="warning" title={text.elsewhere.title}>
            {text.elsewhere.body}
          </Notice>
          <Field label={text.elsewhere.code} error={error}>
            <Input
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
              required
            />
          </Field>
        </>
      ) : null}
      <SignInFailure outcome={outcome} refused={asksCode ? text.elsewhere.wrong : text.used.body} />
      <Button type="submit" size="lg" disabled={link === null} busy={busy}>
        {text.submit}
      </Button>
    </Form>
  )
}

interface UselessProps {
  readonly words: { readonly title: string; readonly body: string }
}

/** Shows that a link cannot be used. */
function Useless({ words }: UselessProps) {
  return (
    <>
      <header role="alert" className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">{words.title}</h1>
        <p className="text-muted">{words.body}</p>
      </header>
      <Again />
    </>
  )
}

function Again() {
  const text = useText(signInTexts).confirm
  return (
    <ButtonLink href="/sign-in" variant="secondary">
      {text.again}
    </ButtonLink>
  )
}

'use client'

import { useMutation } from '@tanstack/react-query'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button, ButtonLink } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { confirmSignIn } from '@/server/trpc/client'
import { signInText } from './messages'
import { takeReturnPath } from './return-path'
import { forgetAddressToken, useAddressToken } from './use-address-token'

const text = signInText.confirm

/** Mail scanners follow links and some press on; only a person's press of the button uses the token. */
export function ConfirmView() {
  const hydrated = useHydrated()
  const token = useAddressToken()
  const confirm = useMutation({
    mutationFn: confirmSignIn,
    onSuccess: (outcome) => {
      if (!outcome.ok) return
      forgetAddressToken()
      window.location.assign(takeReturnPath())
    },
  })
  const refused = confirm.data?.ok === false ? confirm.data.message : null
  if (hydrated && token === null) return <Incomplete />
  return (
    <>
      <header className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
        <p className="text-muted">{text.body}</p>
      </header>
      {refused === null ? (
        <Button
          size="lg"
          disabled={token === null}
          busy={confirm.isPending || confirm.data?.ok === true}
          onClick={() => confirm.mutate(token ?? '')}
        >
          {text.submit}
        </Button>
      ) : (
        <Notice tone="danger" role="alert" action={<Again />}>
          {refused}
        </Notice>
      )}
    </>
  )
}

function Incomplete() {
  return (
    <>
      <h1 className="text-3xl font-semibold tracking-tight">{text.missing.title}</h1>
      <p className="text-muted">{text.missing.body}</p>
      <Again />
    </>
  )
}

function Again() {
  return (
    <ButtonLink href="/sign-in" variant="secondary">
      {text.again}
    </ButtonLink>
  )
}

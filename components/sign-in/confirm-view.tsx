'use client'

import { useMutation } from '@tanstack/react-query'
import { confirmSignIn } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button, ButtonLink } from '@/components/ui/button'
import { signInTexts } from './messages'
import { takeReturnPath } from './return-path'
import { SignInFailure } from './sign-in-failure'
import { forgetAddressToken, useAddressToken } from './use-address-token'

/** Mail scanners follow links and some press on; only a person's press of the button uses the token. */
export function ConfirmView() {
  const text = useText(signInTexts).confirm
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
  if (hydrated && token === null) return <Useless words={text.missing} />
  if (confirm.data?.ok === false && confirm.data.code === 'invalid_token') return <Useless words={text.used} />
  return (
    <>
      <header className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
        <p className="text-muted">{text.body}</p>
      </header>
      {confirm.data?.ok === false ? (
        <SignInFailure outcome={confirm.data} action={<Again />} />
      ) : (
        <Button
          size="lg"
          disabled={token === null}
          busy={confirm.isPending || confirm.data?.ok === true}
          onClick={() => confirm.mutate(token ?? '')}
        >
          {text.submit}
        </Button>
      )}
    </>
  )
}

interface UselessProps {
  readonly words: { readonly title: string; readonly body: string }
}

/** A link that signs nobody in. */
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

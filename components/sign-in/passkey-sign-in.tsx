'use client'

import { KeyRound } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { signInTexts } from './messages'
import { SignInFailure } from './sign-in-failure'
import { usePasskeySignIn } from './use-passkey-sign-in'

/** Signs in with a passkey; the autofill of the address field below offers the same. */
export function PasskeySignIn({ next }: { readonly next: string }) {
  const { passkey: text } = useText(signInTexts)
  const { ask, busy, failure } = usePasskeySignIn(next)
  return (
    <div className="grid gap-4">
      <Button size="lg" busy={busy} onClick={ask}>
        <KeyRound aria-hidden />
        {text.button}
      </Button>
      {failure?.at === 'service' ? <SignInFailure outcome={failure.outcome} /> : null}
      {failure?.at === 'prompt' ? (
        <Notice tone="warning" role="alert">
          {text[failure.reason]}
        </Notice>
      ) : null}
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {text.or}
      </p>
    </div>
  )
}

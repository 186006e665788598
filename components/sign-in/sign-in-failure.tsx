'use client'

import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import type { SignInOutcome } from '@/server/trpc/client'
import { signInTexts } from './messages'

interface SignInFailureProps {
  readonly outcome: SignInOutcome | undefined
  readonly action?: ReactNode
}

/** Says why a step of signing in did not work; nothing at all while it did. */
export function SignInFailure({ outcome, action }: SignInFailureProps) {
  const { failure } = useText(signInTexts)
  if (outcome === undefined || outcome.ok) return null
  const { code } = outcome
  const words: Readonly<Record<string, string>> = failure
  return (
    <Notice tone="danger" role="alert" action={action}>
      {code === null ? failure.offline : (words[code] ?? failure.unknown)}
    </Notice>
  )
}

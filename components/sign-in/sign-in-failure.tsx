'use client'

import type { ReactNode } from 'react'
import type { SignInOutcome } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import { signInTexts } from './messages'

interface SignInFailureProps {
  readonly outcome: SignInOutcome | undefined
  /** The words for a refused proof; by default, that the link was used or is too old. */
  readonly refused?: string
  readonly action?: ReactNode
}

/** Says why a step of signing in failed; renders nothing without a failure. */
export function SignInFailure({ outcome, refused, action }: SignInFailureProps) {
  const { failure } = useText(signInTexts)
  if (outcome === undefined || outcome.ok) return null
  const { code } = outcome
  const words: Readonly<Record<string, string>> = { ...failure, invalid_token: refused ?? failure.invalid_token }
  return (
    <Notice tone="danger" role="alert" action={action}>
      {code === null ? failure.offline : (words[code] ?? failure.unknown)}
    </Notice>
  )
}

'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { stepUpTexts } from './step-up-messages'
import type { StepUpFailureReason } from './use-step-up'

interface StepUpFailureProps {
  readonly failure: StepUpFailureReason | null
  /** Does the whole of it again: confirms, and then sends. */
  readonly onRetry: () => void
}

/** Says why nothing was confirmed; nothing at all while nothing went wrong. */
export function StepUpFailure({ failure, onRetry }: StepUpFailureProps) {
  const text = useText(stepUpTexts).failure
  if (failure === null) return null
  if (typeof failure === 'object') return <RequestFailure {...failure} onRetry={onRetry} />
  return (
    <Notice tone={failure === 'sign_in' ? 'info' : 'warning'} role="alert">
      {text[failure]}
    </Notice>
  )
}

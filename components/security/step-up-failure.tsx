'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { stepUpTexts } from './step-up-messages'
import type { StepUpFailureReason } from './use-step-up'

interface StepUpFailureProps {
  readonly failure: StepUpFailureReason | null
  /** Starts again from the confirmation. */
  readonly onRetry: () => void
}

/** Says why nothing was confirmed; renders nothing without a failure. */
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

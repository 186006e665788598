'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { readRequestError } from '@/components/lib/request-error'
import { StepUpFailure } from '@/components/security/step-up-failure'
import type { StepUpFailureReason } from '@/components/security/use-step-up'
import { Notice } from '@/components/ui/notice'
import { AtTop } from '@/components/ui/notices'
import { RequestFailure } from '@/components/ui/request-failure'
import { decisionTexts } from './decision-messages'

interface DecisionFailureProps {
  readonly error: unknown
  readonly stepUp: StepUpFailureReason | null
  /** Sends the pressed decision again. */
  readonly onRetry: () => void
}

/** Says why nothing was decided: the passkey's prompt failed, the server refused, or the approval has changed. */
export function DecisionFailure({ error, stepUp, onRetry }: DecisionFailureProps) {
  const text = useText(decisionTexts)
  const { data: me } = useQuery(useTRPC().session.me.queryOptions())
  if (stepUp !== null) {
    return (
      <AtTop>
        <StepUpFailure failure={stepUp} onRetry={onRetry} />
      </AtTop>
    )
  }
  if (error === null) return null
  const words = wordsFor({ code: readRequestError(error).code, isOff: me?.switches.consent_scan === false }, text)
  if (words === null) return <RequestFailure error={error} onRetry={onRetry} />
  return (
    <AtTop>
      <Notice tone="danger" role="alert" title={words.title}>
        {words.body}
      </Notice>
    </AtTop>
  )
}

/**
 * Returns the words for refusals that need another explanation for the person who was deciding; null for the others.
 */
function wordsFor(
  { code, isOff }: { readonly code: string | null; readonly isOff: boolean },
  text: TextOf<typeof decisionTexts>,
) {
  if (code === 'conflict') return text.anotherNow
  // The same refusal means that the server is busy, or has no database for the moment.
  return code === 'service_unavailable' && isOff ? text.switchedOff : null
}

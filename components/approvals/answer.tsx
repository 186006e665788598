'use client'

import { OutcomePanel } from '@/components/ui/outcome-panel'
import { type Status, statusLooks } from './consent-status'

interface AnswerProps {
  readonly status: Status
  /** Each status in the reader's language. */
  readonly statuses: Readonly<Record<Status, string>>
  readonly focus: boolean
}

/** Shows an approval's answer while the outcome, which says more, is not loaded. */
export function Answer({ status, statuses, focus }: AnswerProps) {
  // An approval that is pending after its time has expired.
  const answer = status === 'pending' ? 'expired' : status
  return (
    <OutcomePanel
      icon={statusLooks[answer].icon}
      tone={answer === 'approved' ? 'success' : 'muted'}
      title={statuses[answer]}
      focus={focus}
    >
      {null}
    </OutcomePanel>
  )
}

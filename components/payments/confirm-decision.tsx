'use client'

import { TimeLeft } from '@/components/approvals/time-left'
import { useText } from '@/components/i18n/locale-provider'
import type { CardholderChallengeView } from '@/components/lib/api-types'
import { useStripeDocument } from '@/components/lib/use-stripe-document'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import type { Answers } from './confirm-answers'
import { confirmTexts } from './confirm-messages'

interface ConfirmDecisionProps {
  readonly stepUp: CardholderChallengeView
  readonly testBank: boolean
  readonly answers: Answers
}

/** Shows the time left and the answers. Only a press of a button answers. */
export function ConfirmDecision({ stepUp, testBank, answers }: ConfirmDecisionProps) {
  const confirmText = useText(confirmTexts)
  const hasKey = stepUp.bank?.publishable_key != null
  return (
    <div className="grid gap-5 rounded-b-card border-t border-line bg-sunken px-5 py-5 sm:px-6">
      <dl className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <dt className="font-semibold">{confirmText.timeLeft}</dt>
        <dd className="text-lg font-semibold">
          <TimeLeft until={stepUp.expires_at} />
        </dd>
        <dd className="w-full text-sm text-muted">{confirmText.onExpiry}</dd>
      </dl>
      {answers.error === null ? null : <RequestFailure error={answers.error} />}
      {answers.refusal === null ? null : (
        <Notice tone="danger" role="alert" title={confirmText.bank.title}>
          {answers.refusal}
        </Notice>
      )}
      {testBank ? <TestBank answers={answers} /> : <RealBank answers={answers} hasKey={hasKey} />}
    </div>
  )
}

type AnswersProps = Pick<ConfirmDecisionProps, 'answers'>

function TestBank({ answers: { under, give } }: AnswersProps) {
  const confirmText = useText(confirmTexts)
  const { title, hint, confirm, refuse } = confirmText.testBank
  return (
    <>
      <section aria-labelledby="test-bank" className="grid gap-3 rounded-card border border-dashed border-control p-4">
        <div className="grid gap-0.5">
          <h2 id="test-bank" className="font-semibold">
            {title}
          </h2>
          <p className="text-sm text-muted">{hint}</p>
        </div>
        <div className="grid grid-cols-2 gap-4">
          <Button
            size="lg"
            disabled={under !== null && under !== 'confirm'}
            busy={under === 'confirm'}
            onClick={() => give('confirm')}
          >
            {confirm}
          </Button>
          <Button
            size="lg"
            variant="secondary"
            disabled={under !== null && under !== 'refuse'}
            busy={under === 'refuse'}
            onClick={() => give('refuse')}
          >
            {refuse}
          </Button>
        </div>
      </section>
      <Decline answers={{ under, give }} />
    </>
  )
}

function RealBank({ answers, hasKey }: AnswersProps & { readonly hasKey: boolean }) {
  const confirmText = useText(confirmTexts)
  const ready = useStripeDocument(hasKey)
  const { confirm, hint, missing } = confirmText.bank
  const { under, give } = answers
  return (
    <>
      {hasKey ? <p className="text-sm text-muted">{hint}</p> : <Notice tone="warning">{missing}</Notice>}
      <div className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
        <Button
          size="lg"
          disabled={!hasKey || !ready || (under !== null && under !== 'bank')}
          busy={under === 'bank'}
          onClick={() => give('bank')}
        >
          {confirm}
        </Button>
        <Decline answers={answers} />
      </div>
    </>
  )
}

function Decline({ answers: { under, give } }: { readonly answers: Pick<Answers, 'under' | 'give'> }) {
  const confirmText = useText(confirmTexts)
  return (
    <Button
      size="lg"
      variant="secondary"
      disabled={under !== null && under !== 'decline'}
      busy={under === 'decline'}
      onClick={() => give('decline')}
    >
      {confirmText.decline}
    </Button>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { Bot, CreditCard } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { consentTexts } from '@/components/approvals/messages'
import { Payee } from '@/components/approvals/payee'
import { useIsPast } from '@/components/i18n/clock'
import { useText } from '@/components/i18n/locale-provider'
import type { CardholderChallengeView } from '@/components/lib/api-types'
import { ForeignText } from '@/components/ui/foreign-text'
import { Amount } from '@/components/ui/money'
import { BackLink } from '@/components/ui/page-header'
import { Part } from '@/components/ui/part'
import { cardName } from '@/server/base/core/card-name'
import { useAnswers } from './confirm-answers'
import { ConfirmDecision } from './confirm-decision'
import { confirmTexts } from './confirm-messages'
import { ConfirmOutcome } from './confirm-outcome'

const RESULT_POLL_MS = 3000

interface ConfirmViewProps {
  readonly id: string
  readonly initial: CardholderChallengeView
  /** Whether the bank is the sandbox's own, whose part the person plays. */
  readonly testBank: boolean
}

/** Shows a payment whose bank requires a challenge: the facts, the answers and the outcome. */
export function ConfirmView({ id, initial, testBank }: ConfirmViewProps) {
  const confirmText = useText(confirmTexts)
  const consentText = useText(consentTexts)
  const trpc = useTRPC()
  const { data: stepUp } = useQuery({
    ...trpc.payments.stepUp.queryOptions({ id }),
    initialData: initial,
    refetchInterval: ({ state }) => (awaitsResult(state.data) ? RESULT_POLL_MS : false),
  })
  const answers = useAnswers(id, stepUp.bank)
  const expired = useIsPast(stepUp.expires_at)
  const open = stepUp.status === 'waiting' && stepUp.bank !== null && !expired
  return (
    <div className="mx-auto grid w-full max-w-lg grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink href="/approvals" label={confirmText.back} />
      {open ? null : <ConfirmOutcome stepUp={stepUp} focus={answers.answered} />}
      <article aria-labelledby="payment-title" className="rounded-card border border-line bg-surface shadow-card">
        <div className="grid gap-2 px-5 pt-6 pb-5 sm:px-6">
          <h1 id="payment-title" className="grid gap-1">
            {open ? <span className="font-medium">{confirmText.lead}</span> : null}{' '}
            <Amount minor={stepUp.amount_minor} currency={stepUp.currency} />
          </h1>
          <Payee
            name={stepUp.merchant_name}
            audience={stepUp.merchant_audience}
            verified={stepUp.merchant_verified}
            resembles={stepUp.resembles}
            text={consentText}
          />
        </div>
        <Part>
          <p className="flex items-center gap-2.5">
            <Bot aria-hidden className="size-5 shrink-0 text-muted" />
            <span className="min-w-0">
              {consentText.askedBy}{' '}
              <span className="font-semibold">
                <ForeignText text={stepUp.agent_name} />
              </span>
            </span>
          </p>
        </Part>
        <Part title={confirmText.card}>
          <p className="flex items-center gap-2.5 tabular-nums">
            <CreditCard aria-hidden className="size-5 shrink-0 text-muted" />
            {cardName(stepUp.card)}
          </p>
        </Part>
        {open ? <ConfirmDecision stepUp={stepUp} testBank={testBank} answers={answers} /> : null}
      </article>
    </div>
  )
}

/**
 * Returns whether the challenge was answered or has expired, but the result is not known yet; the server may answer
 * that it is still unknown.
 */
function awaitsResult(stepUp: CardholderChallengeView | undefined): boolean {
  if (stepUp?.status !== 'waiting') return false
  return stepUp.bank === null || Date.parse(stepUp.expires_at) <= Date.now()
}

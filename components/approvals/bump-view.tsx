'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, CircleX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { useBumps } from '@/components/layout/live-provider'
import type { LimitBump } from '@/components/lib/api-types'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useStepUp } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { ForeignText } from '@/components/ui/foreign-text'
import { Amount } from '@/components/ui/money'
import { AtTop } from '@/components/ui/notices'
import { OutcomePanel } from '@/components/ui/outcome-panel'
import { Part } from '@/components/ui/part'
import { RequestFailure } from '@/components/ui/request-failure'
import { TextLink } from '@/components/ui/text-link'
import { bumpTexts } from './bump-messages'
import { DecideDock } from './decide-dock'
import { ExceededLimits } from './exceeded-limits'
import { consentTexts } from './messages'
import { Payee } from './payee'

interface BumpProps {
  /** The limit request of a payment that exceeded limits when it was to be charged. */
  readonly bump: LimitBump
}

interface BumpViewProps extends BumpProps {
  /** Shown while the request waits. */
  readonly notice: ReactNode
}

/** Decides a limit request: the payment that was refused for its limits may be allowed once. */
export function BumpView({ bump, notice }: BumpViewProps) {
  const { done, ...answers } = useAnswers(bump)
  const isOpen = useBumps().some(({ id }) => id === bump.id) && done === null
  return (
    <div className="@container w-full">
      <div className="mx-auto flex max-w-lg flex-col gap-3">
        {isOpen ? notice : <Outcome done={done} />}
        <article
          aria-labelledby="request-title"
          className="min-w-0 rounded-card border border-line bg-surface shadow-card"
        >
          <Facts bump={bump} />
        </article>
        {isOpen ? <Answers bump={bump} {...answers} /> : null}
      </div>
    </div>
  )
}

function Facts({ bump }: BumpProps) {
  const text = useText(consentTexts)
  const { lead } = useText(bumpTexts)
  const format = useFormat()
  return (
    <>
      <div className="grid gap-2 px-5 py-4 sm:px-6 sm:pt-6 sm:pb-5">
        <h1 id="request-title">
          <Amount minor={bump.amount_minor} currency={bump.currency} />
        </h1>
        <Payee
          name={bump.merchant_name}
          audience={bump.merchant_audience}
          verified={bump.merchant_verified}
          resembles={bump.resembles}
          text={text}
        />
      </div>
      <Part>
        <p>
          {text.askedBy} <ForeignText text={bump.agent_label} />
        </p>
      </Part>
      <Part>
        <p className="font-medium">{lead}</p>
        <ExceededLimits as="h2" exceeds={bump.exceeds} currency={bump.currency} text={text} format={format} />
      </Part>
    </>
  )
}

type LimitDecision = 'approved' | 'declined'

/** Returns what the person confirms, as the server computes it too. */
function subjectOf({ id, exceeds, amount_minor, currency, agent_client_id, merchant_audience }: LimitBump) {
  return { bump_id: id, exceeds, amount_minor, currency, agent_client_id, merchant_audience }
}

function useAnswers(bump: LimitBump) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [done, setDone] = useState<LimitDecision | null>(null)
  const after = (answer: LimitDecision) => ({
    onSuccess: () => setDone(answer),
    onSettled: () => queries.invalidateQueries(),
  })
  const stepUp = useStepUp()
  const approve = useMutation(trpc.limits.approveBump.mutationOptions(after('approved')))
  const decline = useMutation(trpc.limits.declineBump.mutationOptions(after('declined')))
  const onApprove = () => {
    approve.reset()
    // The step-up itself reports what failed before anything was sent.
    stepUp.prove({ purpose: 'bump.approve', subject: subjectOf(bump) }).then(
      (proof) => approve.mutate({ bump_id: bump.id, proof }),
      () => undefined,
    )
  }
  return {
    done,
    error: approve.error ?? decline.error,
    failure: stepUp.failure,
    approving: stepUp.busy || approve.isPending,
    declining: decline.isPending,
    onApprove,
    onDecline: () => decline.mutate({ bump_id: bump.id }),
  }
}

type AnswersProps = BumpProps & Omit<ReturnType<typeof useAnswers>, 'done'>

function Answers({ bump, error, failure, approving, declining, onApprove, onDecline }: AnswersProps) {
  const text = useText(bumpTexts)
  return (
    <>
      <DecideDock until={bump.expires_at}>
        <Button size="bar" variant="secondary" disabled={approving} busy={declining} onClick={onDecline}>
          {text.decline}
        </Button>
        <Button size="bar" disabled={declining} busy={approving} onClick={onApprove}>
          {text.allow}
        </Button>
      </DecideDock>
      {error === null ? null : <RequestFailure error={error} />}
      <AtTop>
        <StepUpFailure failure={failure} onRetry={onApprove} />
      </AtTop>
    </>
  )
}

function Outcome({ done }: { readonly done: LimitDecision | null }) {
  const text = useText(bumpTexts)
  const icons = { approved: CircleCheck, declined: CircleX }
  return (
    <OutcomePanel
      icon={done === null ? CircleSlash : icons[done]}
      tone={done === 'approved' ? 'success' : 'muted'}
      title={done === null ? text.gone : text.done[done]}
      focus={done !== null}
    >
      <TextLink href="/approvals">{text.back}</TextLink>
    </OutcomePanel>
  )
}

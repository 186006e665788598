'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { ConsentView, SessionView } from '@/components/lib/api-types'
import { onWire } from '@/components/lib/on-wire'
import { useNow } from '@/components/lib/use-now'
import { AddPasskeyHint } from '@/components/security/add-passkey-hint'
import { useStepUp } from '@/components/security/use-step-up'
import { Amount } from '@/components/ui/money'
import { BackLink } from '@/components/ui/page-header'
import { useTRPC } from '@/server/trpc/client'
import { Decision, DecisionFailure, type Verdict } from './decision'
import { consentTexts } from './messages'
import { Payee } from './payee'
import { PaymentFacts, WalletFacts } from './request-facts'
import { shownOf, subjectOf } from './shown'

// Fetched once there is an outcome, so that the question comes up fast.
const Outcome = lazy(() => import('./outcome').then(({ Outcome: view }) => ({ default: view })))

const OUTCOME_POLL_MS = 3000

interface ApproveViewProps {
  readonly id: string
  readonly initial: ConsentView
  readonly passkeys: SessionView['passkeys']
}

export function ApproveView({ id, initial, passkeys }: ApproveViewProps) {
  const consentText = useText(consentTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [decidedHere, setDecidedHere] = useState(false)
  const { data: consent } = useQuery({
    ...trpc.consents.one.queryOptions({ id }),
    initialData: onWire(initial),
    refetchInterval: ({ state }) => (awaitsOutcome(state.data) ? OUTCOME_POLL_MS : false),
  })
  const decide = useMutation(
    trpc.consents.decide.mutationOptions({
      onSuccess: () => setDecidedHere(true),
      // Also after a refusal: it may have been decided elsewhere, and then that is what there is to see.
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const stepUp = useStepUp()
  const { authorization_id: authorizationId } = consent
  const approve = async () => {
    const shown = shownOf(consent)
    const proof = await stepUp.prove({
      purpose: 'consent.approve',
      subject: await subjectOf(authorizationId, shown),
    })
    decide.mutate({ authorization_id: authorizationId, decision: 'approve', shown, proof })
  }
  const onDecide = (decision: Verdict) => {
    stepUp.reset()
    decide.reset()
    if (decision === 'decline') decide.mutate({ authorization_id: authorizationId, decision })
    // What went wrong before anything was sent is told by the step-up itself.
    else approve().catch(() => undefined)
  }
  const open = useIsOpen(consent)
  const Facts = consent.kind === 'payment' ? PaymentFacts : WalletFacts
  return (
    <div className="mx-auto grid w-full max-w-lg grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink href="/approvals" label={consentText.back} />
      {open ? null : (
        <Suspense fallback={null}>
          <Outcome consent={consent} decidedHere={decidedHere} />
        </Suspense>
      )}
      {consent.status === 'approved' && decidedHere ? <AddPasskeyHint passkeys={passkeys} /> : null}
      <article aria-labelledby="request-title" className="rounded-card border border-line bg-surface shadow-card">
        <RequestHead consent={consent} />
        <Facts consent={consent} open={open} />
        {open ? (
          <Decision
            consent={consent}
            failure={<DecisionFailure error={decide.error} stepUp={stepUp.failure} />}
            deciding={decidingNow(decide, stepUp.busy)}
            onDecide={onDecide}
          />
        ) : null}
      </article>
    </div>
  )
}

interface Deciding {
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly variables: { readonly decision: Verdict } | undefined
}

/** The decision that is on its way, from the passkey's prompt until the page shows what became of it. */
function decidingNow(decide: Deciding, proving: boolean): Verdict | null {
  if (proving) return 'approve'
  return decide.isPending || decide.isSuccess ? (decide.variables?.decision ?? null) : null
}

function RequestHead({ consent }: { readonly consent: ConsentView }) {
  const consentText = useText(consentTexts)
  const { amount_minor: amount, currency, merchant_audience: audience } = consent
  if (amount === undefined || currency === undefined || audience === undefined) {
    return (
      <h1 id="request-title" className="px-5 py-5 text-2xl font-semibold tracking-tight sm:px-6">
        {consentText.wallet.heading}
      </h1>
    )
  }
  return (
    <div className="grid gap-2 px-5 pt-6 pb-5 sm:px-6">
      <h1 id="request-title">
        <Amount minor={amount} currency={currency} />
      </h1>
      <Payee
        name={consent.merchant_name}
        audience={audience}
        verified={consent.merchant_verified}
        resembles={consent.resembles}
      />
    </div>
  )
}

function useIsOpen(consent: ConsentView): boolean {
  const now = useNow()
  const ranOut = now !== null && new Date(consent.expires_at).getTime() <= now
  return consent.status === 'pending' && !ranOut
}

/** Whether the payment of an approved purchase may still turn out either way. */
function awaitsOutcome(consent: ConsentView | undefined): boolean {
  if (consent?.status !== 'approved' || consent.kind !== 'payment') return false
  return consent.settlement_status !== 'succeeded'
}

'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsentView } from '@/components/lib/api-types'
import { onWire } from '@/components/lib/on-wire'
import { useNow } from '@/components/lib/use-now'
import { Amount } from '@/components/ui/money'
import { BackLink } from '@/components/ui/page-header'
import { useTRPC } from '@/server/trpc/client'
import { Decision } from './decision'
import { consentText } from './messages'
import { Outcome } from './outcome'
import { Payee } from './payee'
import { PaymentFacts, WalletFacts } from './request-facts'

const OUTCOME_POLL_MS = 3000

interface ApproveViewProps {
  readonly id: string
  readonly initial: ConsentView
}

export function ApproveView({ id, initial }: ApproveViewProps) {
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
  const open = useIsOpen(consent)
  const Facts = consent.kind === 'payment' ? PaymentFacts : WalletFacts
  return (
    <div className="mx-auto grid w-full max-w-lg grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink href="/approvals" label={consentText.back} />
      {open ? null : <Outcome consent={consent} decidedHere={decidedHere} />}
      <article aria-labelledby="request-title" className="rounded-card border border-line bg-surface shadow-card">
        <RequestHead consent={consent} />
        <Facts consent={consent} open={open} />
        {open ? (
          <Decision
            consent={consent}
            error={decide.error}
            deciding={decide.isPending || decide.isSuccess ? (decide.variables.decision ?? null) : null}
            onDecide={(decision) => decide.mutate({ authorization_id: consent.authorization_id, decision })}
          />
        ) : null}
      </article>
    </div>
  )
}

function RequestHead({ consent }: { readonly consent: ConsentView }) {
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
      <Payee name={consent.merchant_name} audience={audience} verified={consent.merchant_verified} />
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

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { consentTexts } from '@/components/approvals/messages'
import { TimeLeft } from '@/components/approvals/time-left'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { LimitBump } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { plainName } from '@/components/lib/plain-text'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useStepUp } from '@/components/security/use-step-up'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Change } from '@/components/ui/change'
import { EmptyState } from '@/components/ui/empty-state'
import { KeepFocus } from '@/components/ui/keep-focus'
import { RequestFailure } from '@/components/ui/request-failure'
import { limitsTexts } from './messages'

interface BumpListProps {
  readonly bumps: readonly LimitBump[]
  readonly agentNames: Readonly<Record<string, string>>
}

export function BumpList({ bumps, agentNames }: BumpListProps) {
  const consentText = useText(consentTexts)
  const [done, setDone] = useState('')
  const { title, body } = consentText.list.emptyBumps
  return (
    <div data-focus-scope className="grid gap-4">
      <KeepFocus />
      <p role="status" tabIndex={-1} data-focus-next className="font-medium text-success empty:hidden">
        {done}
      </p>
      {bumps.length === 0 ? (
        <EmptyState icon={Gauge} title={title}>
          {body}
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {bumps.map((bump) => (
            <BumpCard key={bump.id} bump={bump} agentName={agentNames[bump.agent_client_id]} onDone={setDone} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface BumpCardProps {
  readonly bump: LimitBump
  readonly agentName: string | undefined
  readonly onDone: (what: string) => void
}

/** What the person confirms, as the server will compute it. */
function subjectOf(bump: LimitBump) {
  const { id, scope, kind, current_minor, requested_minor, currency, agent_client_id, merchant_audience } = bump
  return { bump_id: id, scope, kind, current_minor, requested_minor, currency, agent_client_id, merchant_audience }
}

function BumpCard({ bump, agentName, onDone }: BumpCardProps) {
  const { bumps: text, raise } = useText(limitsTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const after = (what: string) => ({
    onSuccess: () => onDone(what),
    onSettled: () => {
      setAsking(false)
      return queries.invalidateQueries()
    },
  })
  const stepUp = useStepUp()
  const approve = useMutation(trpc.limits.approveBump.mutationOptions(after(text.done.approved)))
  const decline = useMutation(trpc.limits.declineBump.mutationOptions(after(text.done.declined)))
  const amount = useBumpAmount(bump)
  const what = text.change(text.kind[bump.scope][bump.kind], amount(bump.current_minor), amount(bump.requested_minor))
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-surface p-5 shadow-card">
      <BumpFacts bump={bump} agentName={agentName} />
      {approve.isError || decline.isError ? <RequestFailure error={approve.error ?? decline.error} /> : null}
      <div className="grid gap-4 min-[26rem]:grid-cols-2 sm:max-w-md">
        <Button aria-label={text.approveName(what)} disabled={decline.isPending} onClick={() => setAsking(true)}>
          {text.approve}
        </Button>
        <Button
          variant="secondary"
          aria-label={text.declineName(what)}
          busy={decline.isPending}
          onClick={() => decline.mutate({ bump_id: bump.id })}
        >
          {text.decline}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={(open) => {
          setAsking(open)
          stepUp.reset()
        }}
        title={text.confirmTitle}
        confirmLabel={text.approve}
        busy={stepUp.busy || approve.isPending}
        onConfirm={() => {
          stepUp.prove({ purpose: 'bump.approve', subject: subjectOf(bump) }).then(
            (proof) => approve.mutate({ bump_id: bump.id, proof }),
            () => undefined,
          )
        }}
      >
        <p>{what}.</p>
        <p>{text.once}</p>
        <p className="text-sm">{raise.how}</p>
        <StepUpFailure failure={stepUp.failure} />
      </ConfirmDialog>
    </li>
  )
}

function BumpFacts({ bump, agentName }: Omit<BumpCardProps, 'onDone'>) {
  const text = useText(limitsTexts).bumps
  const amount = useBumpAmount(bump)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-sm font-semibold text-muted">{text.kind[bump.scope][bump.kind]}</p>
      <p className="text-xl font-semibold tracking-tight">
        <Change from={amount(bump.current_minor)} to={amount(bump.requested_minor)} becomes={text.becomes} />
      </p>
      <p className="wrap-anywhere">
        <span className="text-muted">{text.by}</span> <bdi>{plainName(agentName ?? text.unknownAgent)}</bdi>{' '}
        <span className="text-muted">{text.at}</span>{' '}
        <bdi>{merchantName(bump.merchant_name, bump.merchant_audience)}</bdi>
      </p>
      <p>{text.why[bump.kind](amount(bump.current_minor), amount(bump.requested_minor))}</p>
      <p className="text-sm text-muted">{text.once}</p>
      <p className="text-sm text-muted">
        {text.until} <TimeLeft until={bump.expires_at} />
      </p>
    </div>
  )
}

/** Writes a value of the limit that the request is about. */
function useBumpAmount({ kind, currency }: LimitBump): (value: number) => string {
  const format = useFormat()
  const text = useText(limitsTexts).bumps
  return (value) => (kind === 'velocity' ? text.payments(value) : format.money(value, currency))
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowRight, Gauge } from 'lucide-react'
import { useState } from 'react'
import { consentText } from '@/components/consent/messages'
import { TimeLeft } from '@/components/consent/time-left'
import type { LimitBump } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { formatMoney } from '@/components/lib/money'
import { plainName } from '@/components/lib/plain-text'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { RequestFailure } from '@/components/ui/request-failure'
import { useTRPC } from '@/server/trpc/client'
import { limitsText } from './messages'

const text = limitsText.bumps

interface BumpListProps {
  readonly bumps: readonly LimitBump[]
  readonly agentNames: Readonly<Record<string, string>>
}

export function BumpList({ bumps, agentNames }: BumpListProps) {
  const [done, setDone] = useState('')
  const { title, body } = consentText.list.emptyBumps
  return (
    <div className="grid gap-4">
      <p role="status" className="font-medium text-success empty:hidden">
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

function BumpCard({ bump, agentName, onDone }: BumpCardProps) {
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
  const approve = useMutation(trpc.limits.approveBump.mutationOptions(after(text.done.approved)))
  const decline = useMutation(trpc.limits.declineBump.mutationOptions(after(text.done.declined)))
  const what = `${text.kind[bump.scope][bump.kind]}, ${amountOf(bump, bump.current_minor)} to ${amountOf(bump, bump.requested_minor)}`
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
        onOpenChange={setAsking}
        title={text.confirmTitle}
        confirmLabel={text.approve}
        busy={approve.isPending}
        onConfirm={() => approve.mutate({ bump_id: bump.id })}
      >
        <p>{what}.</p>
        <p>{text.once}</p>
      </ConfirmDialog>
    </li>
  )
}

function BumpFacts({ bump, agentName }: Omit<BumpCardProps, 'onDone'>) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-sm font-semibold text-muted">{text.kind[bump.scope][bump.kind]}</p>
      <p className="flex flex-wrap items-center gap-x-2.5 text-xl font-semibold tracking-tight tabular-nums">
        {amountOf(bump, bump.current_minor)}
        <ArrowRight aria-label="to" className="size-5 shrink-0 text-muted" />
        {amountOf(bump, bump.requested_minor)}
      </p>
      <p className="wrap-anywhere">
        <span className="text-muted">{text.by}</span> <bdi>{plainName(agentName ?? text.unknownAgent)}</bdi>{' '}
        <span className="text-muted">{text.at}</span> <bdi>{merchantName(null, bump.merchant_audience)}</bdi>
      </p>
      <p className="text-sm text-muted">
        {text.until} <TimeLeft until={bump.expires_at} />. {text.once}
      </p>
    </div>
  )
}

function amountOf(bump: LimitBump, value: number): string {
  return bump.kind === 'velocity' ? text.payments(value) : formatMoney(value, bump.currency)
}

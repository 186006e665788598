'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { ExceededLimits } from '@/components/approvals/exceeded-limits'
import { consentTexts } from '@/components/approvals/messages'
import { WaitingFacts } from '@/components/approvals/waiting-facts'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { LimitBump } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useStepUp } from '@/components/security/use-step-up'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { KeepFocus } from '@/components/ui/keep-focus'
import { RequestFailure } from '@/components/ui/request-failure'
import { limitsTexts } from './messages'

/** Payments that met a limit when they were charged, each of which may be allowed once. */
export function BumpList({ bumps }: { readonly bumps: readonly LimitBump[] }) {
  const text = useText(limitsTexts).bumps
  const [done, setDone] = useState('')
  return (
    <div data-focus-scope className="grid gap-4">
      <KeepFocus />
      <p role="status" tabIndex={-1} data-focus-next className="font-medium text-success empty:hidden">
        {done}
      </p>
      {bumps.length === 0 ? null : (
        <ul aria-label={text.list} className="grid gap-4">
          {bumps.map((bump) => (
            <BumpCard key={bump.id} bump={bump} onDone={setDone} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface BumpCardProps {
  readonly bump: LimitBump
  readonly onDone: (what: string) => void
}

/** What the person confirms, as the server will compute it. */
function subjectOf({ id, exceeds, amount_minor, currency, agent_client_id, merchant_audience }: LimitBump) {
  return { bump_id: id, exceeds, amount_minor, currency, agent_client_id, merchant_audience }
}

function BumpCard({ bump, onDone }: BumpCardProps) {
  const { bumps: text, raise } = useText(limitsTexts)
  const consentText = useText(consentTexts)
  const format = useFormat()
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
  const amount = format.money(bump.amount_minor, bump.currency)
  const payee = merchantName(bump.merchant_name, bump.merchant_audience)
  const what = `${amount} ${consentText.payTo} ${payee}`
  const limits = { exceeds: bump.exceeds, currency: bump.currency, text: consentText, format }
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line border-s-4 border-s-accent bg-surface p-5 shadow-card">
      <WaitingFacts lead={text.lead} title={amount} payee={payee} agent={bump.agent_label} until={bump.expires_at} />
      <ExceededLimits as="h3" {...limits} />
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
        <p>{what}</p>
        <ExceededLimits as="h3" {...limits} />
        <p className="text-sm">{raise.how}</p>
        <StepUpFailure failure={stepUp.failure} />
      </ConfirmDialog>
    </li>
  )
}

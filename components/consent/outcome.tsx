'use client'

import { CircleCheck, CircleX, Hourglass, type LucideIcon, TimerOff, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { RevokeAgent } from '@/components/agents/revoke-agent'
import type { ConsentView } from '@/components/lib/api-types'
import { cn } from '@/components/lib/cn'
import { merchantName } from '@/components/lib/merchant-name'
import { formatMoney } from '@/components/lib/money'
import { plainName } from '@/components/lib/plain-text'
import { useNow } from '@/components/lib/use-now'
import { ButtonLink } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { consentText } from './messages'

/** Code and mandate live no longer than this after the request itself. */
const USABLE_AFTER_EXPIRY_MS = 6 * 60_000

interface OutcomeProps {
  readonly consent: ConsentView
  /** Decided on this page just now, rather than in another tab or on another device. */
  readonly decidedHere: boolean
}

/** What became of the request; what follows an approval appears here by itself. */
export function Outcome({ consent, decidedHere }: OutcomeProps) {
  if (consent.status === 'approved') return <Approved consent={consent} decidedHere={decidedHere} />
  if (consent.status === 'declined') return <Declined consent={consent} decidedHere={decidedHere} />
  return (
    <Panel icon={TimerOff} tone="muted" title={consentText.expired.title}>
      <p>{consentText.expired.body}</p>
    </Panel>
  )
}

function Approved({ consent, decidedHere }: OutcomeProps) {
  const { kind, agent, decided_at: decidedAt, settlement_status: settlement } = consent
  const isUnused = useUnused(consent)
  if (kind === 'payment' && settlement === 'succeeded') return <Paid consent={consent} />
  if (kind === 'payment' && settlement === 'failed') {
    return (
      <Panel icon={TriangleAlert} tone="danger" title={consentText.failed.heading}>
        <p>{consentText.failed.body}</p>
      </Panel>
    )
  }
  if (isUnused) {
    return (
      <Panel icon={TimerOff} tone="muted" title={consentText.unused.heading}>
        <p>{consentText.unused.body(plainName(agent.label))}</p>
      </Panel>
    )
  }
  const said =
    decidedHere || decidedAt === null ? consentText.approved.heading : <AlreadyAt what="approved" at={decidedAt} />
  return (
    <Panel icon={CircleCheck} tone="success" title={said} focus={decidedHere}>
      {kind === 'wallet' ? (
        <p>{consentText.approved.wallet(plainName(agent.label))}</p>
      ) : (
        <Progress consent={consent} />
      )}
    </Panel>
  )
}

/** Whether the time is over in which the agent could have used the approval. */
function useUnused(consent: ConsentView): boolean {
  const now = useNow()
  if (now === null || consent.kind !== 'payment' || consent.settlement_status !== 'none') return false
  return now > new Date(consent.expires_at).getTime() + USABLE_AFTER_EXPIRY_MS
}

function Paid({ consent }: { readonly consent: ConsentView }) {
  const { payee, amount } = sumUp(consent)
  return (
    <Panel icon={CircleCheck} tone="success" title={consentText.paid.heading}>
      <p>{consentText.paid.body(payee, amount)}</p>
      {consent.payment === null ? null : (
        <ButtonLink
          href={`/payments/${encodeURIComponent(consent.payment.payment_intent_id)}`}
          variant="secondary"
          className="w-fit"
        >
          {consentText.paid.receipt}
        </ButtonLink>
      )}
    </Panel>
  )
}

function Progress({ consent }: { readonly consent: ConsentView }) {
  const { payee, amount } = sumUp(consent)
  const { settlement_status: settlement } = consent
  return (
    <>
      <p>{consentText.approved.canCharge(payee, amount)}</p>
      {settlement === 'succeeded' || settlement === 'failed' ? null : (
        <p className="flex items-center gap-2 text-sm text-muted">
          <Hourglass aria-hidden className="size-4 shrink-0" />
          {consentText.approved.progress[settlement]}
        </p>
      )}
    </>
  )
}

function sumUp({ merchant_name: name, merchant_audience: audience, amount_minor: minor, currency }: ConsentView) {
  return {
    payee: merchantName(name, audience ?? ''),
    amount: minor === undefined || currency === undefined ? '' : formatMoney(minor, currency),
  }
}

function Declined({ consent, decidedHere }: OutcomeProps) {
  const { agent, decided_at: decidedAt } = consent
  const said =
    decidedHere || decidedAt === null ? consentText.declined.heading : <AlreadyAt what="declined" at={decidedAt} />
  return (
    <Panel icon={CircleX} tone="muted" title={said} focus={decidedHere}>
      <p>{consent.kind === 'payment' ? consentText.declined.body : consentText.declined.wallet}</p>
      <p className="text-muted">{consentText.revokeOffer(plainName(agent.label))}</p>
      <RevokeAgent clientId={agent.client_id} label={agent.label} />
    </Panel>
  )
}

function AlreadyAt({ what, at }: { readonly what: 'approved' | 'declined'; readonly at: string }) {
  return (
    <>
      {consentText.already[what]} <Moment at={at} style="time" />
    </>
  )
}

const tones = { success: 'text-success', danger: 'text-danger', muted: 'text-muted' } as const

interface PanelProps {
  readonly icon: LucideIcon
  readonly tone: keyof typeof tones
  readonly title: ReactNode
  /** Takes the focus from the button that is gone now. */
  readonly focus?: boolean
  readonly children: ReactNode
}

function Panel({ icon: Icon, tone, title, focus = false, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focus) heading.current?.focus()
  }, [focus])
  return (
    <section role="status" className="grid gap-3 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <h2
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-2.5 text-2xl font-semibold tracking-tight outline-none"
      >
        <Icon aria-hidden className={cn('size-7 shrink-0', tones[tone])} />
        <span>{title}</span>
      </h2>
      {children}
    </section>
  )
}

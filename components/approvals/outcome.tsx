'use client'

import { CircleCheck, CircleSlash, CircleX, Hourglass, TimerOff, TriangleAlert } from 'lucide-react'
import { useClock, useIsPast } from '@/components/i18n/clock'
import type { Locale } from '@/components/i18n/locale'
import { useText } from '@/components/i18n/locale-provider'
import { type TextOf, textIn } from '@/components/i18n/texts'
import { useFormat } from '@/components/i18n/use-format'
import { LatePart } from '@/components/layout/late-part'
import type { ConsentView, SessionView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { plainName } from '@/components/lib/plain-text'
import { AddPasskeyHint } from '@/components/security/add-passkey-hint'
import { stepUpTexts } from '@/components/security/step-up-messages'
import { ButtonLink } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Moment } from '@/components/ui/moment'
import { type OutcomeNews, OutcomePanel } from '@/components/ui/outcome-panel'
import { decisionTexts } from './decision-messages'
import { consentTexts } from './messages'
import { Precautions } from './unexpected'

interface OutcomeProps {
  readonly consent: ConsentView
  /** Whether it was decided on this page just now, not in another tab or on another device. */
  readonly decidedHere: boolean
  readonly passkeys: SessionView['passkeys']
}

/** Shows the outcome of an approval, and then that of the payment as soon as it is known. */
export function Outcome({ consent, decidedHere, passkeys }: OutcomeProps) {
  const isUnused = useUnused(consent)
  const text = useText(consentTexts)
  return (
    <>
      <OutcomePanel {...tell({ consent, decidedHere, isUnused, text })} focus={decidedHere} />
      {consent.status === 'approved' && decidedHere ? <AddPasskeyHint passkeys={passkeys} /> : null}
    </>
  )
}

/** Loads the texts beforehand, so that they can be shown when the server is out of reach. */
export async function loadOutcomeWords(locale: Locale): Promise<void> {
  await Promise.all([textIn(consentTexts, locale), textIn(stepUpTexts, locale)])
}

interface Situation extends Pick<OutcomeProps, 'consent' | 'decidedHere'> {
  readonly isUnused: boolean
  readonly text: TextOf<typeof consentTexts>
}

function tell(situation: Situation): OutcomeNews {
  const { status } = situation.consent
  if (status === 'approved') return tellApproved(situation)
  if (status === 'declined') return tellDeclined(situation)
  if (status === 'withdrawn') return tellWithdrawn(situation)
  const { title, wallet } = situation.text.expired
  return {
    icon: TimerOff,
    tone: 'muted',
    title: situation.consent.kind === 'payment' ? title : wallet,
    children: <AskAgain consent={situation.consent} />,
  }
}

function tellApproved({ consent, decidedHere, isUnused, text }: Situation): OutcomeNews {
  const { kind, agent, decided_at: decidedAt, settlement_status: settlement } = consent
  const { approved, paid, failed, unused } = text
  if (kind === 'payment' && settlement === 'succeeded') {
    return { icon: CircleCheck, tone: 'success', title: paid.heading, children: <Paid consent={consent} /> }
  }
  if (kind === 'payment' && settlement === 'failed') {
    return { icon: TriangleAlert, tone: 'danger', title: failed.heading, children: <p>{failed.body}</p> }
  }
  if (isUnused) {
    const body = unused.body(plainName(agent.label))
    return { icon: TimerOff, tone: 'muted', title: unused.heading, children: <p>{body}</p> }
  }
  const heading = kind === 'payment' && settlement === 'none' ? approved.waiting : approved.heading
  return {
    icon: CircleCheck,
    tone: 'success',
    title: decidedHere || decidedAt === null ? heading : <AlreadyAt what="approved" at={decidedAt} />,
    children: kind === 'wallet' ? <p>{approved.wallet(plainName(agent.label))}</p> : <Progress consent={consent} />,
  }
}

function tellDeclined({ consent, decidedHere, text }: Situation): OutcomeNews {
  const { kind, decided_at: decidedAt } = consent
  const said = kind === 'payment' ? text.declined.heading : text.declined.wallet
  return {
    icon: CircleX,
    tone: 'muted',
    title: decidedHere || decidedAt === null ? said : <AlreadyAt what="declined" at={decidedAt} />,
    children: <NotExpected consent={consent} />,
  }
}

function NotExpected({ consent }: { readonly consent: ConsentView }) {
  const { unexpected } = useText(decisionTexts)
  return (
    <>
      <h3 className="font-semibold">{unexpected}</h3>
      <LatePart>
        <Precautions consent={consent} />
      </LatePart>
    </>
  )
}

function tellWithdrawn({ consent, text }: Situation): OutcomeNews {
  const { title, body, why } = text.withdrawn
  const { decided_via: via } = consent
  const heading = via === 'frozen' || via === 'paused' || via === 'restricted' || via === 'presented' ? why[via] : title
  return { icon: CircleSlash, tone: 'muted', title: heading, children: <p>{body}</p> }
}

/** Returns whether the agent let the approval expire without using it. */
function useUnused(consent: ConsentView): boolean {
  const isOver = useIsPast(consent.usable_until)
  return isOver && consent.kind === 'payment' && consent.settlement_status === 'none'
}

function Paid({ consent }: { readonly consent: ConsentView }) {
  const consentText = useText(consentTexts)
  const { payee, amount } = useSum(consent)
  return (
    <>
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
    </>
  )
}

function Progress({ consent }: { readonly consent: ConsentView }) {
  const consentText = useText(consentTexts)
  const { payee, amount } = useSum(consent)
  const { settlement_status: settlement, settlement_id: settlementId } = consent
  const { canCharge, progress, answerBank } = consentText.approved
  return (
    <>
      <p>{canCharge(payee, amount)}</p>
      {settlement === 'none' || settlement === 'succeeded' || settlement === 'failed' ? null : (
        <p className="flex items-center gap-2 text-sm text-muted">
          <Hourglass aria-hidden className="size-4 shrink-0" />
          {progress[settlement]}
        </p>
      )}
      {settlement === 'requires_action' && settlementId !== null ? (
        <ButtonLink href={`/payments/confirm/${encodeURIComponent(settlementId)}`} className="w-fit">
          {answerBank}
        </ButtonLink>
      ) : null}
    </>
  )
}

/** Shows what to tell the agent, since only the agent can request the purchase again. */
function AskAgain({ consent }: { readonly consent: ConsentView }) {
  const { askAgain } = useText(consentTexts)
  const { payee, amount } = useSum(consent)
  const words = consent.kind === 'payment' ? askAgain.purchase(amount, payee) : askAgain.access
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
        <span className="text-muted">{askAgain.tell}</span> <q>{words}</q>
      </p>
      <CopyButton value={words} what={askAgain.what} />
    </div>
  )
}

function useSum({ merchant_name: name, merchant_audience: audience, amount_minor: minor, currency }: ConsentView) {
  const format = useFormat()
  return {
    payee: merchantName(name, audience ?? ''),
    amount: minor === undefined || currency === undefined ? '' : format.money(minor, currency),
  }
}

/** Shows when it was decided: the time today, with the day later. */
function AlreadyAt({ what, at }: { readonly what: 'approved' | 'declined'; readonly at: string }) {
  const consentText = useText(consentTexts)
  const format = useFormat()
  const isToday = useClock((now) => format.time(at, 'date') === format.time(new Date(now).toISOString(), 'date'))
  return (
    <>
      {consentText.already[what]} <Moment at={at} style={isToday ? 'time' : 'long'} />
    </>
  )
}

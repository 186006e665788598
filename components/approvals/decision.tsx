'use client'

import { KeyRound } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { ConsentView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { decisionTexts } from './decision-messages'
import { TimeLeft } from './time-left'
import { Unexpected } from './unexpected'

// Its script comes after those that approve and decline, since nobody has to choose.
const NextTime = lazy(() => import('./next-time').then(({ NextTime: view }) => ({ default: view })))

export type Verdict = 'approve' | 'decline'

interface DecisionProps {
  readonly consent: ConsentView
  /** The decision that is on its way; null while the person makes up their mind. */
  readonly deciding: Verdict | null
  /** Why nothing was decided. */
  readonly failure: ReactNode
  readonly onDecide: (decision: Verdict) => void
  /** Told what the person chose for the next time: 0 to be asked every time, null while it is no amount. */
  readonly onNextTime: (askAboveMinor: number | null) => void
  /** The choice for the next time is no amount. */
  readonly incomplete: boolean
  /** Another way to approve. */
  readonly other: ReactNode
}

/** Match code, time left and the two answers. Nothing but a press of a button decides. */
export function Decision({ consent, deciding, failure, onDecide, onNextTime, incomplete, other }: DecisionProps) {
  const decisionText = useText(decisionTexts)
  const approveLabel = useApproveLabel(consent)
  const isPayment = consent.kind === 'payment'
  const { ask_above_minor: proposedMinor, currency } = consent
  return (
    <div className="grid gap-5 rounded-b-card border-t border-line bg-sunken px-5 py-5 sm:px-6">
      <dl className="grid gap-4">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
          <dt className="font-semibold">{decisionText.matchCode}</dt>
          <dd className="row-span-2 font-mono text-3xl font-semibold tracking-widest">{consent.match_code}</dd>
          <dd className="text-sm text-muted">{decisionText.matchHint}</dd>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
          <dt className="font-semibold">{decisionText.timeLeft}</dt>
          <dd className="row-span-2 text-lg font-semibold">
            <TimeLeft until={consent.expires_at} />
          </dd>
          <dd className="text-sm text-muted">{isPayment ? decisionText.onExpiry : decisionText.onExpiryWallet}</dd>
        </div>
      </dl>
      {proposedMinor === null || currency === undefined ? null : (
        <Suspense>
          <NextTime currency={currency} proposedMinor={proposedMinor} onChange={onNextTime} />
        </Suspense>
      )}
      {failure}
      <div className="grid auto-rows-fr grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
        <Button
          size="lg"
          disabled={isBlocked(consent) || incomplete || deciding === 'decline'}
          busy={deciding === 'approve'}
          onClick={() => onDecide('approve')}
        >
          {consent.asks_passkey && deciding !== 'approve' ? <KeyRound aria-hidden /> : null}
          <span className="grid">
            <span>{approveLabel}</span>
            {consent.asks_passkey ? <span className="text-sm font-normal">{decisionText.withPasskey}</span> : null}
          </span>
        </Button>
        <Button
          size="lg"
          variant="secondary"
          disabled={deciding === 'approve'}
          busy={deciding === 'decline'}
          onClick={() => onDecide('decline')}
        >
          {decisionText.decline}
        </Button>
      </div>
      {other}
      <Unexpected consent={consent} />
    </div>
  )
}

function useApproveLabel({ amount_minor: amount, currency }: ConsentView): string {
  const decisionText = useText(decisionTexts)
  const format = useFormat()
  if (amount === undefined || currency === undefined) return decisionText.allow
  return decisionText.approve(format.money(amount, currency))
}

/** A purchase that does not add up, or that could not be paid, cannot be approved; the page says why further up. */
export function isBlocked(consent: ConsentView): boolean {
  if (consent.kind === 'wallet') return false
  return !consent.total_matches || consent.default_card === null || consent.effect.refused_currency
}

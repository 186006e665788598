'use client'

import type { ConsentView } from '@/components/lib/api-types'
import { formatMoney } from '@/components/lib/money'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { consentText } from './messages'
import { TimeLeft } from './time-left'

type Verdict = 'approve' | 'decline'

interface DecisionProps {
  readonly consent: ConsentView
  /** The decision that is on its way; null while the person makes up their mind. */
  readonly deciding: Verdict | null
  readonly error: unknown
  readonly onDecide: (decision: Verdict) => void
}

/** Match code, time left and the two answers. Nothing but a press of a button decides. */
export function Decision({ consent, deciding, error, onDecide }: DecisionProps) {
  const isPayment = consent.kind === 'payment'
  return (
    <div className="grid gap-5 rounded-b-card border-t border-line bg-sunken px-5 py-5 sm:px-6">
      <dl className="grid gap-4">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
          <dt className="font-semibold">{consentText.matchCode}</dt>
          <dd className="row-span-2 font-mono text-3xl font-semibold tracking-widest">{consent.match_code}</dd>
          <dd className="text-sm text-muted">{consentText.matchHint}</dd>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
          <dt className="font-semibold">{consentText.timeLeft}</dt>
          <dd className="row-span-2 text-lg font-semibold">
            <TimeLeft until={consent.expires_at} />
          </dd>
          <dd className="text-sm text-muted">{isPayment ? consentText.onExpiry : consentText.onExpiryWallet}</dd>
        </div>
      </dl>
      {error === null ? null : <RequestFailure error={error} />}
      <div className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
        <Button
          size="lg"
          disabled={isBlocked(consent) || deciding === 'decline'}
          busy={deciding === 'approve'}
          onClick={() => onDecide('approve')}
        >
          {approveLabel(consent)}
        </Button>
        <Button
          size="lg"
          variant="secondary"
          disabled={deciding === 'approve'}
          busy={deciding === 'decline'}
          onClick={() => onDecide('decline')}
        >
          {consentText.decline}
        </Button>
      </div>
    </div>
  )
}

function approveLabel({ amount_minor: amount, currency }: ConsentView): string {
  if (amount === undefined || currency === undefined) return consentText.allow
  return consentText.approve(formatMoney(amount, currency))
}

/** A purchase that does not add up, or that could not be paid, cannot be approved; the page says why further up. */
function isBlocked(consent: ConsentView): boolean {
  if (consent.kind === 'wallet') return false
  return !consent.total_matches || consent.default_card === null || consent.effect.refused_currency
}

'use client'

import { KeyRound } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { ConsentView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { DecideDock } from './decide-dock'
import { decisionTexts } from './decision-messages'

export type Decision = 'approve' | 'decline'

interface DecideBarProps {
  readonly consent: ConsentView
  /** The decision that is being sent; null before the person has decided. */
  readonly deciding: Decision | null
  readonly onDecide: (decision: Decision) => void
  /** Whether the choice for the next time is not an amount. */
  readonly incomplete: boolean
}

/** Shows the buttons that approve and decline. Only a press of one decides. */
export function DecideBar({ consent, deciding, onDecide, incomplete }: DecideBarProps) {
  const text = useText(decisionTexts)
  const approveLabel = useApproveLabel(consent)
  return (
    <DecideDock until={consent.expires_at} matchCode={consent.match_code}>
      <Button
        size="bar"
        variant="secondary"
        disabled={deciding === 'approve'}
        busy={deciding === 'decline'}
        onClick={() => onDecide('decline')}
      >
        {text.decline}
      </Button>
      <Button
        size="bar"
        disabled={isBlocked(consent) || incomplete || deciding === 'decline'}
        busy={deciding === 'approve'}
        onClick={() => onDecide('approve')}
      >
        {consent.asks_passkey && deciding !== 'approve' ? <KeyRound aria-hidden /> : null}
        <span>
          {approveLabel}
          {consent.asks_passkey ? <span className="sr-only"> {text.withPasskey}</span> : null}
        </span>
      </Button>
    </DecideDock>
  )
}

function useApproveLabel({ amount_minor: amount, currency }: ConsentView): string {
  const text = useText(decisionTexts)
  const format = useFormat()
  if (amount === undefined || currency === undefined) return text.allow
  return text.approve(format.money(amount, currency))
}

/**
 * Returns whether the approval cannot be given: approvals are switched off, the total does not match, or the purchase
 * could not be paid. The page says why further up.
 */
export function isBlocked(consent: ConsentView): boolean {
  if (!consent.approvals_on) return true
  if (consent.kind === 'wallet') return false
  return !consent.total_matches || consent.default_card === null || consent.effect.refused_currency
}

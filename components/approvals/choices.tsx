'use client'

import { lazy } from 'react'
import { LatePart } from '@/components/layout/late-part'
import type { ConsentView } from '@/components/lib/api-types'
import { Unexpected } from './unexpected'

// Loaded after the buttons that approve and decline, since the choice is optional.
const NextTime = lazy(() => import('./next-time').then(({ NextTime: view }) => ({ default: view })))

// Only for people who have added a wallet app.
const WalletChoice = lazy(() => import('./wallet-choice').then(({ WalletChoice: view }) => ({ default: view })))

interface ChoicesProps {
  readonly consent: ConsentView
  /**
   * The amount that the person chose for the next time: 0 to be asked every time, null while the input is not an
   * amount.
   */
  readonly askAbove: number | null
  readonly onNextTime: (askAboveMinor: number | null | undefined) => void
  /** Whether the choice for the next time is not an amount. */
  readonly incomplete: boolean
  readonly onApproved: () => void
}

/** Shows the choices beside approve and decline. */
export function Choices({ consent, askAbove, onNextTime, incomplete, onApproved }: ChoicesProps) {
  const { ask_above_minor: proposedMinor, currency } = consent
  return (
    <div className="grid gap-2 border-t border-line px-5 py-2 sm:gap-4 sm:px-6 sm:py-4">
      {proposedMinor === null || currency === undefined ? null : (
        <LatePart>
          <NextTime currency={currency} proposedMinor={proposedMinor} onChange={onNextTime} />
        </LatePart>
      )}
      {consent.takes_wallet_app ? (
        <LatePart>
          <WalletChoice consent={consent} askAbove={askAbove} disabled={incomplete} onApproved={onApproved} />
        </LatePart>
      ) : null}
      <Unexpected consent={consent} />
    </div>
  )
}

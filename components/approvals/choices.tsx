'use client'

import { lazy, Suspense } from 'react'
import type { ConsentView } from '@/components/lib/api-types'
import { Unexpected } from './unexpected'

// Its script comes after those that approve and decline, since nobody has to choose.
const NextTime = lazy(() => import('./next-time').then(({ NextTime: view }) => ({ default: view })))

// Only for those who have added a wallet app.
const WalletChoice = lazy(() => import('./wallet-choice').then(({ WalletChoice: view }) => ({ default: view })))

interface ChoicesProps {
  readonly consent: ConsentView
  /** What the person chose for the next time: 0 to be asked every time, null while it is no amount. */
  readonly askAbove: number | null
  readonly onNextTime: (askAboveMinor: number | null | undefined) => void
  /** The choice for the next time is no amount. */
  readonly incomplete: boolean
  readonly onApproved: () => void
}

/** What the person may choose besides the two answers. */
export function Choices({ consent, askAbove, onNextTime, incomplete, onApproved }: ChoicesProps) {
  const { ask_above_minor: proposedMinor, currency } = consent
  return (
    <div className="grid gap-2 border-t border-line px-5 py-2 sm:gap-4 sm:px-6 sm:py-4">
      {proposedMinor === null || currency === undefined ? null : (
        <Suspense>
          <NextTime currency={currency} proposedMinor={proposedMinor} onChange={onNextTime} />
        </Suspense>
      )}
      {consent.takes_wallet_app ? (
        <Suspense>
          <WalletChoice consent={consent} askAbove={askAbove} disabled={incomplete} onApproved={onApproved} />
        </Suspense>
      ) : null}
      <Unexpected consent={consent} />
    </div>
  )
}

'use client'

import { useMutation } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { ConsentView } from '@/components/lib/api-types'
import { readRequestError } from '@/components/lib/request-error'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { RequestFailure } from '@/components/ui/request-failure'
import { Spinner } from '@/components/ui/spinner'
import { isBlocked } from './decide-bar'
import { shownOf } from './shown'
import { walletTexts } from './wallet-messages'
import { WalletNotice, wordsForRefusal } from './wallet-notice'
import { WalletRequest } from './wallet-request'

interface WalletChoiceProps {
  /** The approval that the page shows. */
  readonly consent: ConsentView
  readonly askAbove: number | null
  readonly disabled: boolean
  readonly onApproved: () => void
}

/** Approves with a wallet app instead: requests a presentation, and shows the result. */
export function WalletChoice({ consent, askAbove, disabled, onApproved }: WalletChoiceProps) {
  const trpc = useTRPC()
  const text = useText(walletTexts)
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const ask = useMutation(trpc.approvals.askWallet.mutationOptions())
  const start = () => {
    const shown = shownOf(consent, askAbove)
    if ('items' in shown) ask.mutate({ authorization_id: consent.authorization_id, shown })
  }
  const { amount_minor: minor = 0, currency = '' } = consent
  return (
    <>
      <Button
        variant="secondary"
        disabled={disabled || isBlocked(consent)}
        onClick={() => {
          setOpen(true)
          start()
        }}
      >
        <Smartphone aria-hidden />
        {text.choose}
      </Button>
      <Dialog title={text.title(format.money(minor, currency))} open={open} onOpenChange={setOpen}>
        <div className="grid gap-4 p-5">
          {ask.isError ? <AskFailure error={ask.error} onRetry={start} /> : null}
          {ask.isSuccess ? <WalletRequest request={ask.data} onApproved={onApproved} onRetry={start} /> : null}
          {ask.isPending ? <Spinner /> : null}
        </div>
      </Dialog>
    </>
  )
}

interface AskFailureProps {
  readonly error: unknown
  readonly onRetry: () => void
}

function AskFailure({ error, onRetry }: AskFailureProps) {
  const words = wordsForRefusal(useText(walletTexts), readRequestError(error).code)
  return words === null ? <RequestFailure error={error} onRetry={onRetry} /> : <WalletNotice words={words} />
}

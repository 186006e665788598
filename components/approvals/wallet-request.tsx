'use client'

import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useEffect } from 'react'
import { useTRPC } from '@/components/api/client'
import { useIsPast } from '@/components/i18n/clock'
import { useText } from '@/components/i18n/locale-provider'
import type { WalletRequestView } from '@/components/lib/api-types'
import { buttonVariants } from '@/components/ui/button-variants'
import { Notice } from '@/components/ui/notice'
import { QrCode } from '@/components/ui/qr-code'
import { TimeLeft } from './time-left'
import { walletTexts } from './wallet-messages'
import { WalletNotice, wordsForRefusal } from './wallet-notice'

const ANSWER_POLL_MS = 2_000

interface WalletRequestProps {
  readonly request: WalletRequestView
  readonly onApproved: () => void
  readonly onRetry: () => void
}

/** Shows the request for the wallet app, and its result. */
export function WalletRequest({ request, onApproved, onRetry }: WalletRequestProps) {
  const text = useText(walletTexts)
  const answer = useAnswer(request, onApproved)
  if (answer.status === 'verified') return <Notice tone="success" role="status" title={text.approved} />
  if (answer.status === 'rejected') {
    const words = wordsForRefusal(text, answer.error)
    return words === null ? <WalletNotice words={text.refused} onRetry={onRetry} /> : <WalletNotice words={words} />
  }
  if (answer.status === 'expired') return <WalletNotice words={text.expired} onRetry={onRetry} />
  return <OpenRequest request={request} />
}

/** Shows a QR code on a wide screen, for the phone with the wallet app, and a link to the app on a phone. */
function OpenRequest({ request }: Pick<WalletRequestProps, 'request'>) {
  const text = useText(walletTexts)
  return (
    <>
      <div className="grid gap-2 justify-items-center max-sm:hidden">
        <p className="text-muted">{text.scan}</p>
        <QrCode svg={request.qr_svg} alt={text.code} />
      </div>
      <a href={request.deep_link} className={buttonVariants({ variant: 'secondary', full: true })}>
        {text.open}
      </a>
      <p className="text-pretty">{text.compare}</p>
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <span role="status" className="flex items-center gap-2">
          <Hourglass aria-hidden className="size-4 shrink-0" />
          {text.waiting}
        </span>
        <span>
          {text.timeLeft} <TimeLeft until={request.expires_at} />
        </span>
      </p>
    </>
  )
}

/** Polls for the wallet app's answer until there is one. */
function useAnswer(request: WalletRequestView, onApproved: () => void) {
  const trpc = useTRPC()
  const ranOut = useIsPast(request.expires_at)
  const { data } = useQuery({
    ...trpc.approvals.walletAnswer.queryOptions({ request_id: request.request_id }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.status === 'pending' ? ANSWER_POLL_MS : false,
  })
  const isApproved = data?.status === 'verified'
  useEffect(() => {
    if (isApproved) onApproved()
  }, [isApproved, onApproved])
  if (data !== undefined && data.status !== 'pending') return data
  return { status: ranOut ? ('expired' as const) : ('pending' as const), error: null }
}

'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleX, LoaderCircle, TimerOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { TimeLeft } from '@/components/approvals/time-left'
import { useText } from '@/components/i18n/locale-provider'
import type { CredentialOfferView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { credentialsTexts } from './messages'
import { OfferForms } from './offer-forms'

const POLL_MS = 2000

const isUnderWay = (status: string): status is 'open' | 'taken' => status === 'open' || status === 'taken'

interface OpenOfferProps {
  readonly offer: CredentialOfferView
  readonly onDone: () => void
}

/** Shows an offer in the forms that a wallet app takes, until one has taken it, and then the outcome. */
export function OpenOffer({ offer, onDone }: OpenOfferProps) {
  const text = useText(credentialsTexts).offer
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery({
    ...trpc.credentials.offerState.queryOptions({ id: offer.id }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.status ?? 'open') ? POLL_MS : false),
  })
  const cancel = useMutation(
    trpc.credentials.cancelOffer.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  const status = data?.status ?? 'open'
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    if (status === 'added') void queries.invalidateQueries()
  }, [status, queries])
  return (
    <div className="grid gap-4">
      {isUnderWay(status) ? (
        <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
          {text.title}
        </h3>
      ) : null}
      <div role="status" className="grid gap-4">
        {isUnderWay(status) ? (
          <p className="flex items-center gap-2.5 text-muted">
            <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin motion-reduce:animate-none" />
            {text.statuses[status]}
          </p>
        ) : (
          <Ended status={status} onDone={onDone} />
        )}
      </div>
      {status === 'open' ? (
        <>
          <Notice tone="warning">{text.once}</Notice>
          <OfferForms offer={offer} />
          <p className="text-sm text-muted">
            {text.expires} <TimeLeft until={offer.expires_at} />
          </p>
        </>
      ) : null}
      {cancel.isError ? <RequestFailure error={cancel.error} /> : null}
      {isUnderWay(status) ? (
        <Button
          variant="secondary"
          className="w-full sm:w-fit"
          busy={cancel.isPending}
          onClick={() => cancel.mutate({ id: offer.id })}
        >
          {text.cancel}
        </Button>
      ) : null}
    </div>
  )
}

interface EndedProps {
  readonly status: 'added' | 'ended' | 'expired'
  readonly onDone: () => void
}

function Ended({ status, onDone }: EndedProps) {
  const text = useText(credentialsTexts).offer
  if (status === 'added') {
    return (
      <Notice
        tone="success"
        title={text.added.title}
        action={
          <Button variant="secondary" data-focus-next onClick={onDone}>
            {text.added.close}
          </Button>
        }
      >
        {text.added.body}
      </Notice>
    )
  }
  const words = text[status]
  return (
    <EmptyState
      icon={status === 'ended' ? CircleX : TimerOff}
      title={words.title}
      action={
        <Button data-focus-next onClick={onDone}>
          {text.another}
        </Button>
      }
    >
      {words.body}
    </EmptyState>
  )
}

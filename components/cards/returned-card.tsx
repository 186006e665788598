'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { RequestFailure } from '@/components/ui/request-failure'
import { Spinner } from '@/components/ui/spinner'
import { cardsTexts } from './messages'

interface ReturnedCardProps {
  readonly intentId: string
  readonly onStatus: (status: string) => void
}

/** Finishes, once, the enrolment with which a bank's page returned, and removes it from the address. */
export function ReturnedCard({ intentId, onStatus }: ReturnedCardProps) {
  const text = useText(cardsTexts).add
  const trpc = useTRPC()
  const queries = useQueryClient()
  const begun = useRef(false)
  const { mutate, error, isPending } = useMutation(
    trpc.cards.finishEnrolment.mutationOptions({
      onSuccess: ({ status }) => onStatus(status),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    window.history.replaceState(null, '', window.location.pathname)
    mutate({ setup_intent_id: intentId })
  }, [intentId, mutate])
  if (isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted [&_svg]:size-4">
        <Spinner />
        {text.checking}
      </p>
    )
  }
  return error === null ? null : <RequestFailure error={error} onRetry={() => mutate({ setup_intent_id: intentId })} />
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { RequestFailure } from '@/components/ui/request-failure'
import { useTRPC } from '@/server/trpc/client'

interface ReturnedCardProps {
  readonly intentId: string
  readonly onStatus: (status: string) => void
}

/** Finishes, once, the enrolment that a bank's page has come back from, and takes it out of the address. */
export function ReturnedCard({ intentId, onStatus }: ReturnedCardProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const begun = useRef(false)
  const { mutate, error } = useMutation(
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
  return error === null ? null : <RequestFailure error={error} onRetry={() => mutate({ setup_intent_id: intentId })} />
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, ClockAlert, CreditCard, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useClock } from '@/components/i18n/clock'
import { useText } from '@/components/i18n/locale-provider'
import type { SavedCard } from '@/components/lib/api-types'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { StepUpError, useStepUp } from '@/components/security/use-step-up'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { cardName } from '@/server/base/core/card-name'
import { cardsTexts } from './messages'

interface CardRowProps {
  readonly card: SavedCard
  readonly isOnly: boolean
  readonly onNews: (news: string) => void
}

export function CardRow({ card, isOnly, onNews }: CardRowProps) {
  const cardsText = useText(cardsTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const name = cardName(card)
  const onSettled = () => {
    setAsking(false)
    return queries.invalidateQueries()
  }
  const stepUp = useStepUp()
  const { mutateAsync: send } = useMutation(trpc.cards.makeDefault.mutationOptions())
  const makeDefault = useMutation({
    mutationFn: async (chosen: { readonly card_id: string }) =>
      send({ ...chosen, proof: await stepUp.prove({ purpose: 'card.choose', subject: chosen }) }),
    onSuccess: () => onNews(cardsText.madeDefault(name)),
    onSettled,
  })
  const remove = useMutation(
    trpc.cards.remove.mutationOptions({ onSuccess: () => onNews(cardsText.removed(name)), onSettled }),
  )
  const choose = () => makeDefault.mutate({ card_id: card.id })
  const failure = makeDefault.error ?? remove.error
  return (
    <li className="grid gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <CardFacts card={card} />
      <div className="flex flex-wrap gap-3">
        {card.is_default || card.agent_client_id !== null ? null : (
          <Button
            variant="secondary"
            size="sm"
            aria-label={cardsText.makeDefaultName(name)}
            busy={makeDefault.isPending}
            onClick={choose}
          >
            {cardsText.makeDefault}
          </Button>
        )}
        <Button
          variant="secondaryDanger"
          size="sm"
          aria-label={cardsText.removeName(name)}
          onClick={() => setAsking(true)}
        >
          {cardsText.remove}
        </Button>
      </div>
      <div className="empty:hidden sm:col-span-2">
        <StepUpFailure failure={stepUp.failure} onRetry={choose} />
        {failure === null || failure instanceof StepUpError ? null : <RequestFailure error={failure} />}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={cardsText.removeTitle(name)}
        confirmLabel={cardsText.remove}
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ card_id: card.id })}
      >
        <p>{cardsText.removeBody}</p>
        {isOnly ? <p>{cardsText.removeLast}</p> : null}
        {card.is_default && !isOnly ? <p>{cardsText.removeDefault}</p> : null}
        {card.agent_client_id === null ? null : <p>{cardsText.removeBound}</p>}
      </ConfirmDialog>
    </li>
  )
}

/** How long before its expiry a card is marked as expiring: long enough for the bank to send another. */
const SOON_MS = 60 * 24 * 60 * 60 * 1000

/** A card is valid until the end of its last month. */
const endOf = (card: SavedCard): number => Date.UTC(card.exp_year, card.exp_month, 1)

function CardFacts({ card }: { readonly card: SavedCard }) {
  const cardsText = useText(cardsTexts)
  const month = String(card.exp_month).padStart(2, '0')
  const isEnding = useClock((now) => card.status === 'active' && endOf(card) - now < SOON_MS)
  return (
    <div className="flex items-start gap-3">
      <CreditCard aria-hidden className="mt-0.5 size-6 shrink-0 text-muted" />
      <div className="grid min-w-0 gap-1.5">
        <p className="font-semibold tabular-nums">{cardName(card)}</p>
        <p className="text-sm text-muted tabular-nums">
          {cardsText.expires} {month}/{card.exp_year}
        </p>
        <p className="flex flex-wrap gap-2 empty:hidden">
          {card.is_default ? (
            <Badge icon={CircleCheck} tone="accent">
              {cardsText.default}
            </Badge>
          ) : null}
          {card.agent_client_id === null ? null : (
            <Link
              href={`/agents/${encodeURIComponent(card.agent_client_id)}`}
              className="text-sm underline underline-offset-4"
            >
              {cardsText.bound}
            </Link>
          )}
          {card.status === 'expired' ? (
            <Badge icon={TriangleAlert} tone="danger">
              {cardsText.expired}
            </Badge>
          ) : null}
          {isEnding ? (
            <Badge icon={ClockAlert} tone="warning">
              {cardsText.endsSoon}
            </Badge>
          ) : null}
        </p>
      </div>
    </div>
  )
}

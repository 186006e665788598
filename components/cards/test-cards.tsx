'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { TestCard } from '@/components/lib/api-types'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { StepUpError, useStepUp } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { RowList } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { groupedNumber } from './grouped-number'
import { cardsTexts } from './messages'

interface TestCardsProps {
  readonly cards: readonly TestCard[]
  readonly onNews: (news: string) => void
}

export function TestCards({ cards, onNews }: TestCardsProps) {
  const text = useText(cardsTexts).test
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { mutateAsync: send } = useMutation(trpc.cards.enrolTestCard.mutationOptions())
  const enrol = useMutation({
    mutationFn: async ({ number, name }: TestCard) => {
      await send({ number, proof: await stepUp.prove({ purpose: 'card.add', subject: {} }) })
      return name
    },
    onSuccess: (name) => onNews(text.added(text.cards[name].label)),
    onSettled: () => queries.invalidateQueries(),
  })
  const addAgain = () => {
    if (enrol.variables !== undefined) enrol.mutate(enrol.variables)
  }
  return (
    <div className="grid gap-3">
      <StepUpFailure failure={stepUp.failure} onRetry={addAgain} />
      {enrol.error === null || enrol.error instanceof StepUpError ? null : <RequestFailure error={enrol.error} />}
      <RowList aria-label={text.title}>
        {cards.map((card) => (
          <li key={card.number} className="flex items-center justify-between gap-4 px-5 py-4">
            <div className="grid min-w-0 gap-0.5">
              <p className="font-medium">{text.cards[card.name].label}</p>
              <p className="font-mono text-sm tabular-nums">{groupedNumber(card.number)}</p>
              <p className="text-sm text-muted">{text.cards[card.name].behaviour}</p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={text.addName(text.cards[card.name].label)}
              busy={enrol.isPending && enrol.variables.number === card.number}
              onClick={() => enrol.mutate(card)}
            >
              {text.add}
            </Button>
          </li>
        ))}
      </RowList>
    </div>
  )
}

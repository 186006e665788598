'use client'

import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { EnrolmentView, SavedCard, TestCard } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { AddCard } from './add-card'
import { CardRow } from './card-row'
import { cardsTexts } from './messages'
import { TestCards } from './test-cards'

interface CardsViewProps {
  readonly initial: { readonly cards: SavedCard[] }
  /** How a card can be added; null while adding is switched off. */
  readonly way: EnrolmentView['way'] | null
  /** The sandbox's test cards; empty with a real processor. */
  readonly testCards: readonly TestCard[]
  /** The enrolment with which a bank's page returned; null when there is none. */
  readonly returned: string | null
}

export function CardsView({ initial, way, testCards, returned }: CardsViewProps) {
  const cardsText = useText(cardsTexts)
  const trpc = useTRPC()
  const [news, setNews] = useState('')
  const { data } = useQuery({ ...trpc.cards.list.queryOptions(), initialData: initial })
  return (
    <>
      <PageHeader title={cardsText.title} description={cardsText.description} />
      <p role="status" className="font-medium text-success empty:hidden">
        {news}
      </p>
      {data.cards.length === 0 ? (
        <EmptyState icon={CreditCard} title={cardsText.empty.title} action={<ToAdding way={way} />}>
          {cardsText.empty.body}
        </EmptyState>
      ) : (
        <>
          {data.cards.some((card) => card.is_default) ? null : <Notice tone="warning">{cardsText.noDefault}</Notice>}
          <ul aria-label={cardsText.title} className="grid gap-4">
            {data.cards.map((card) => (
              <CardRow key={card.id} card={card} isOnly={data.cards.length === 1} onNews={setNews} />
            ))}
          </ul>
        </>
      )}
      {way === 'elements' ? <AddCard onNews={setNews} returned={returned} /> : null}
      {way === 'none' ? (
        <Notice tone="info" title={cardsText.add.title}>
          {cardsText.add.none}
        </Notice>
      ) : null}
      {way === 'test_cards' ? (
        <Section id="test-cards" title={cardsText.test.title} description={cardsText.test.description}>
          <TestCards cards={testCards} onNews={setNews} />
        </Section>
      ) : null}
    </>
  )
}

/** Links to the form further down that adds a card. */
function ToAdding({ way }: Pick<CardsViewProps, 'way'>) {
  const { add, test } = useText(cardsTexts)
  if (way === null || way === 'none') return <ButtonLink href="/">{add.home}</ButtonLink>
  const [anchor, label] = way === 'elements' ? ['#add-card', add.title] : ['#test-cards', test.title]
  return <ButtonLink href={anchor}>{label}</ButtonLink>
}

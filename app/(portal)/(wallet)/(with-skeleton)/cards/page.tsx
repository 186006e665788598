import type { Metadata } from 'next'
import { CardsView } from '@/components/cards/cards-view'
import { cardsTexts } from '@/components/cards/messages'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import { portal, readMe } from '@/server/transport/trpc/rsc'
import { isSetupIntentId } from '@/server/wallet/cards/input'

export async function generateMetadata(): Promise<Metadata> {
  const cardsText = await readText(cardsTexts)
  return { title: cardsText.title, description: cardsText.description }
}

interface CardsProps {
  readonly searchParams: Promise<{ readonly setup_intent?: string | string[] }>
}

export default async function Cards({ searchParams }: CardsProps) {
  const { setup_intent: returned } = await searchParams
  const api = await portal()
  const [me, cards, { way }, testCards] = await Promise.all([
    readMe(),
    api.cards.list(),
    api.cards.enrolment(),
    api.cards.testCards(),
  ])
  const canAdd = me.switches.card_enrolment
  return (
    <>
      <CardsView
        initial={cards}
        way={canAdd ? way : null}
        testCards={testCards}
        returned={isSetupIntentId(returned) ? returned : null}
      />
      {canAdd ? null : <SwitchedOff name="card_enrolment" />}
    </>
  )
}

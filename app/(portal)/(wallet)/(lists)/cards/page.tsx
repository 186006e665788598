import type { Metadata } from 'next'
import { CardsView } from '@/components/cards/cards-view'
import { cardsText } from '@/components/cards/messages'
import { SwitchedOff } from '@/components/layout/switched-off'
import { portal } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: cardsText.title }

export default async function Cards() {
  const api = await portal()
  const [me, cards, testCards] = await Promise.all([api.session.me(), api.cards.list(), api.cards.testCards()])
  const canAdd = me.switches.card_enrolment
  return (
    <>
      <CardsView initial={cards} testCards={canAdd ? testCards : []} />
      {canAdd ? null : <SwitchedOff name="card_enrolment" />}
    </>
  )
}

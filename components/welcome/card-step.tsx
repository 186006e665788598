'use client'

import { useState } from 'react'
import { AddCard } from '@/components/cards/add-card'
import { cardsTexts } from '@/components/cards/messages'
import { TestCards } from '@/components/cards/test-cards'
import { useText } from '@/components/i18n/locale-provider'
import type { EnrolmentView, TestCard } from '@/components/lib/api-types'
import { Section } from '@/components/ui/card'
import { Notice } from '@/components/ui/notice'

export interface CardStepProps {
  /** How a card can be added; null while adding is switched off. */
  readonly way: EnrolmentView['way'] | null
  readonly testCards: readonly TestCard[]
}

/** Adds the first card; in the sandbox, the one with which every payment succeeds. */
export function CardStep({ way, testCards }: CardStepProps) {
  const text = useText(cardsTexts)
  const [news, setNews] = useState('')
  return (
    <>
      <p role="status" className="font-medium empty:hidden">
        {news}
      </p>
      {way === 'elements' ? <AddCard onNews={setNews} returned={null} /> : null}
      {way === 'none' ? <Notice tone="info">{text.add.none}</Notice> : null}
      {way === 'test_cards' ? (
        <Section id="test-cards" title={text.test.title}>
          <TestCards cards={testCards.filter(({ name }) => name === 'success')} onNews={setNews} />
        </Section>
      ) : null}
    </>
  )
}

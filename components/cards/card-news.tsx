'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { Notice } from '@/components/ui/notice'
import { cardsTexts } from './messages'

export interface Refusal {
  readonly text: string
}

/**
 * Returns what an enrolment's status means to the person, whether the page or the processor's event stored the card.
 */
export function newsOf(
  status: string,
  text: TextOf<typeof cardsTexts>['add'],
): { readonly text: string | null; readonly refusal: Refusal | null } {
  if (status === 'succeeded') return { text: text.added, refusal: null }
  if (status === 'processing') return { text: text.processing, refusal: null }
  return { text: null, refusal: { text: text.notAdded } }
}

export function CardNotAdded({ refusal }: { readonly refusal: Refusal }) {
  const text = useText(cardsTexts).add
  return (
    <Notice tone="danger" role="alert" title={text.failed}>
      {refusal.text}
    </Notice>
  )
}

import { Notice } from '@/components/ui/notice'
import { cardsText } from './messages'

const text = cardsText.add

export interface Refusal {
  readonly text: string
}

/** What an enrolment's status means to the person; who wrote the card down makes no difference. */
export function newsOf(status: string): { readonly text: string | null; readonly refusal: Refusal | null } {
  if (status === 'succeeded') return { text: text.added, refusal: null }
  if (status === 'processing') return { text: text.processing, refusal: null }
  return { text: null, refusal: { text: text.notAdded } }
}

export function CardNotAdded({ refusal }: { readonly refusal: Refusal }) {
  return (
    <Notice tone="danger" role="alert" title={text.failed}>
      {refusal.text}
    </Notice>
  )
}

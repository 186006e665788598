import type { Translated } from '@/components/i18n/texts'
import type { nextTimeText } from './next-time-messages'

export const nextTimeTextDe: Translated<typeof nextTimeText> = {
  title: 'Nächstes Mal hier',
  askAbove: (amount) => `Über ${amount} fragen`,
  other: 'Über einem anderen Betrag fragen',
  otherAmount: (currency) => `Betrag in ${currency}`,
  badAmount: 'Geben Sie einen Betrag über null ein.',
  everyTime: 'Jedes Mal fragen',
}

import type { Translated } from '@/components/i18n/texts'
import type { liveText } from './live-messages'

export const liveTextDe: Translated<typeof liveText> = {
  waiting: (count) => `${count} offen`,
  nothingWaiting: 'Es wartet nichts auf Sie.',
  newlyWaiting: (count) => (count === 1 ? 'Eine Anfrage wartet auf Sie.' : `${count} Anfragen warten auf Sie.`),
  offline: 'Sie sind offline. Es wurde nichts geändert.',
  retry: 'Erneut versuchen',
}

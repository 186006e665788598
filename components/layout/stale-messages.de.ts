import type { Translated } from '@/components/i18n/texts'
import type { staleText } from './stale-messages'

export const staleTextDe: Translated<typeof staleText> = {
  stale: 'Diese Seite ist nicht mehr aktuell.',
  reload: 'Neu laden',
}

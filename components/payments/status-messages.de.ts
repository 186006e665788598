import type { Translated } from '@/components/i18n/texts'
import type { paymentStatusText } from './status-messages'

export const paymentStatusTextDe: Translated<typeof paymentStatusText> = {
  succeeded: 'Bezahlt',
  disputed_pending: 'Reklamiert',
  disputed_won: 'Reklamation beendet, Zahlung bleibt bestehen',
  disputed_lost: 'Reklamation beendet, Geld zurück',
}

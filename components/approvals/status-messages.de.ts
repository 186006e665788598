import type { Translated } from '@/components/i18n/texts'
import type { consentStatusText } from './status-messages'

export const consentStatusTextDe: Translated<typeof consentStatusText> = {
  pending: 'Offen',
  approved: 'Freigegeben',
  declined: 'Abgelehnt',
  withdrawn: 'Zurückgezogen',
  expired: 'Abgelaufen',
}

import type { Translated } from '@/components/i18n/texts'
import type { decisionText } from './decision-messages'

export const decisionTextDe: Translated<typeof decisionText> = {
  decide: 'Entscheiden',
  timeLeft: 'Verbleibende Zeit',
  left: 'übrig',
  matchCode: 'Vergleichscode',
  matchHint: 'Ihr Agent zeigt dieselben zwei Ziffern. Wenn nicht, lehnen Sie ab.',
  approve: (amount) => `${amount} freigeben`,
  allow: 'Zugriff erlauben',
  withPasskey: 'mit Ihrem Passkey',
  decline: 'Ablehnen',
  unexpected: 'Haben Sie das nicht erwartet?',
  precautions: { pause: 'Diesen Agenten pausieren', revoke: 'Diesem Agenten den Zugriff entziehen' },
  anotherNow: {
    title: 'Es wurde nichts entschieden',
    body: 'Die Anfrage hat sich geändert, seit Sie sie geöffnet haben, oder sie wurde anderswo beantwortet. Prüfen Sie sie noch einmal.',
  },
  switchedOff: {
    title: 'Freigaben sind abgeschaltet',
    body: 'Der Betreiber hat Freigaben abgeschaltet. Es wurde nichts entschieden und nichts abgebucht.',
  },
}

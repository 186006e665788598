import type { Translated } from '@/components/i18n/texts'
import type { bumpText } from './bump-messages'

export const bumpTextDe: Translated<typeof bumpText> = {
  title: 'Eine Zahlung einmal erlauben',
  lead: 'Vorerst abgewiesen: über Ihren Limits',
  allow: 'Einmal erlauben',
  decline: 'Ablehnen',
  done: {
    approved: 'Einmal erlaubt. Der Agent kann es jetzt erneut versuchen.',
    declined: 'Abgelehnt. Es wird nichts abgebucht.',
  },
  gone: 'Das wartet nicht mehr auf Sie.',
  back: 'Alle Freigaben',
  signedIn: 'Sie sind angemeldet. Noch ist nichts erlaubt: Drücken Sie dazu auf Einmal erlauben.',
}

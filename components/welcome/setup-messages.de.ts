import type { Translated } from '@/components/i18n/texts'
import type { setupText } from './setup-messages'

export const setupTextDe: Translated<typeof setupText> = {
  title: 'Einrichtung',
  count: (done) => `Einrichtung: ${done} von 4 erledigt`,
  continue: 'Einrichtung fortsetzen',
  done: 'Erledigt',
  toDo: 'Noch offen',
  steps: {
    passkey: {
      title: 'Passkey hinzufügen',
      body: 'Anmelden und Käufe bestätigen mit Fingerabdruck, Gesicht oder PIN.',
    },
    card: { title: 'Karte hinzufügen', body: 'Damit bezahlen Agenten, wenn Sie oder Ihre Regeln zugestimmt haben.' },
    limits: { title: 'Limits festlegen', body: 'Wie viel höchstens, pro Tag und pro Zahlung.' },
    agent: { title: 'Agenten verbinden', body: 'Der Assistent, der für Sie kaufen soll.' },
  },
}

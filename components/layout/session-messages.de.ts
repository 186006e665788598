import type { Translated } from '@/components/i18n/texts'
import type { sessionText } from './session-messages'

export const sessionTextDe: Translated<typeof sessionText> = {
  over: {
    title: 'Sie sind abgemeldet',
    body: 'Ihre Eingaben sind noch da. Melden Sie sich an, wozu sich ein weiterer Tab öffnet, und machen Sie dann hier weiter.',
    signIn: 'Anmelden',
  },
  idle: {
    title: 'Sie werden gleich abgemeldet',
    body: 'Diese Seite wurde eine Weile nicht benutzt. In spätestens einer Minute werden Sie abgemeldet.',
    stay: 'Angemeldet bleiben',
  },
}

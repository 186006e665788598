import type { Translated } from '@/components/i18n/texts'
import type { sessionText } from './session-messages'

export const sessionTextDe: Translated<typeof sessionText> = {
  idle: {
    title: 'Sie werden gleich abgemeldet',
    body: 'Diese Seite wurde eine Weile nicht benutzt. In spätestens einer Minute werden Sie abgemeldet.',
    stay: 'Angemeldet bleiben',
  },
}

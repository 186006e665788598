import type { Translated } from '@/components/i18n/texts'
import type { uiText } from './messages'

export const uiTextDe: Translated<typeof uiText> = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  loading: 'Wird geladen',
  copy: {
    button: 'Kopieren',
    name: (what) => `Kopieren: ${what}`,
    done: 'Kopiert',
    news: (what) => `Kopiert: ${what}`,
    refused: (what) => `Der Browser hat das Kopieren nicht zugelassen (${what}). Markieren Sie stattdessen den Text.`,
  },
}

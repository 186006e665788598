import type { Translated } from '@/components/i18n/texts'
import type { uiText } from './messages'

export const uiTextDe: Translated<typeof uiText> = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  loading: 'Wird geladen',
  unreadLink: {
    title: 'Dieser Link ließ sich nicht ganz lesen',
    body: 'Was nicht lesbar war, bleibt unberücksichtigt. Die Liste zeigt deshalb vielleicht mehr, als Sie erwarten, und beginnt mit dem neuesten Eintrag.',
    action: 'Ganze Liste zeigen',
  },
  copy: {
    button: 'Kopieren',
    name: (what) => `Kopieren: ${what}`,
    done: 'Kopiert',
    news: (what) => `Kopiert: ${what}`,
    refused: (what) => `Der Browser hat das Kopieren nicht zugelassen (${what}). Markieren Sie stattdessen den Text.`,
  },
}

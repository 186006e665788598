import type { Translated } from '@/components/i18n/texts'
import type { shortcutsText } from './messages'

export const shortcutsTextDe: Translated<typeof shortcutsText> = {
  palette: {
    title: 'Gehe zu',
    search: 'Seiten und Agenten suchen',
    placeholder: 'Seite oder Agent',
    none: 'Nichts trägt diesen Namen.',
    list: 'Seiten, Agenten und Befehle',
    agent: 'Agent',
  },
  help: {
    title: 'Tastenkürzel',
    description: 'Keine Taste gibt etwas frei oder lehnt etwas ab.',
    next: 'dann',
    palette: 'Zu einer Seite oder einem Agenten gehen',
    filter: 'Zum Filter der Seite springen',
    help: 'Diese Liste zeigen',
    goTo: (page) => `Gehe zu: ${page}`,
    single: {
      label: 'Einzelne Tasten sind Kürzel',
      hint: 'Schalten Sie das aus, wenn Sie diktieren oder Tasten versehentlich drücken. Strg+K und ⌘K gehen immer.',
    },
  },
}

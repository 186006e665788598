import type { Translated } from '@/components/i18n/texts'
import type { accessibilityText } from './messages'

export const accessibilityTextDe: Translated<typeof accessibilityText> = {
  title: 'Barrierefreiheit',
  standard: {
    title: 'Woran wir uns halten',
    body: 'Diese Seiten sollen WCAG 2.2, Stufe AA, erfüllen, wie es EN 301 549 und das Barrierefreiheitsstärkungsgesetz verlangen.',
  },
  checked: {
    title: 'Letzte Prüfung',
    body: 'Am 23. November 2026, durch uns selbst: jede Seite hell und dunkel, bei 320 Pixeln, nur mit der Tastatur, und mit automatischen Tests.',
  },
  known: {
    title: 'Was noch nicht barrierefrei ist',
    items: [
      'Kartennummern und Antworten an Ihre Bank geben Sie auf Seiten des Zahlungsdienstleisters und der Bank ein, die wir nicht ändern können.',
      'Ein QR-Code lässt sich nicht vorlesen. Neben jedem steht ein Link oder ein Code, der dasselbe tut.',
    ],
  },
  contact: {
    title: 'Schreiben Sie uns',
    body: 'Wenn Sie etwas an der Nutzung dieser Seiten hindert, sagen Sie uns, was es ist und auf welcher Seite. Wir antworten innerhalb von 14 Tagen.',
    none: 'Der Betreiber dieses Servers hat keine Adresse angegeben. Fragen Sie die Stelle, von der Sie Ihre Wallet haben.',
  },
  enforcement: {
    title: 'Wenn unsere Antwort nicht hilft',
    body: 'Sie können sich an die Stelle wenden, die in Ihrem Land über die Barrierefreiheit wacht.',
  },
}

import type { Translated } from '@/components/i18n/texts'
import type { cardsText } from './messages'

export const cardsTextDe: Translated<typeof cardsText> = {
  title: 'Karten',
  description:
    'Mit diesen Karten werden die Käufe Ihrer Agenten bezahlt; die Kartennummern liegen beim Zahlungsdienstleister.',
  empty: {
    title: 'Noch keine Karte',
    body: 'Fügen Sie eine Karte hinzu, damit Agenten bezahlen können, was Sie freigeben.',
  },
  noDefault:
    'Keine Karte ist die Standardkarte. Agenten ohne eigene Karte können nicht bezahlen, bis Sie eine auswählen oder hinzufügen.',
  default: 'Standard',
  expired: 'Abgelaufen',
  endsSoon: 'Läuft bald ab',
  expires: 'Gültig bis',
  makeDefault: 'Als Standard',
  makeDefaultName: (card) => `Als Standard: ${card}`,
  remove: 'Entfernen',
  removeName: (card) => `Entfernen: ${card}`,
  removeTitle: (card) => `${card} entfernen?`,
  removeBody: 'Agenten können damit nicht mehr bezahlen. Laufende Zahlungen werden noch abgeschlossen.',
  removeLast: 'Es ist Ihre einzige Karte: Bis Sie eine neue hinzufügen, können Agenten nicht bezahlen.',
  bound: 'Nur für einen Agenten',
  removeDefault:
    'Keine andere Karte tritt an ihre Stelle: Agenten ohne eigene Karte können nicht bezahlen, bis Sie eine auswählen.',
  removeBound: 'Der Agent, für den sie war, kann nicht bezahlen, bis Sie eine andere Karte für ihn auswählen.',
  removed: (card) => `${card} wurde entfernt.`,
  madeDefault: (card) => `${card} ist jetzt Ihre Standardkarte.`,
  add: {
    title: 'Karte hinzufügen',
    safe: 'Ihre Kartennummer geht an Stripe und nie an uns.',
    open: 'Karte hinzufügen',
    form: 'Kartendaten',
    loading: 'Das Kartenformular wird geladen',
    save: 'Karte speichern',
    cancel: 'Abbrechen',
    checking: 'Die Karte wird bei Ihrer Bank geprüft',
    added: 'Karte hinzugefügt.',
    processing: 'Ihre Bank prüft die Karte noch. Sobald die Bank zustimmt, erscheint die Karte hier.',
    notAdded: 'Ihre Bank hat die Karte nicht bestätigt. Deshalb wurde sie nicht hinzugefügt.',
    failed: 'Die Karte wurde nicht hinzugefügt',
    unavailable: 'Stripe konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und ob etwas js.stripe.com blockiert.',
    home: 'Zur Startseite',
    none: 'Der Betreiber dieses Dienstes hat noch keinen Zahlungsdienstleister eingerichtet. Deshalb können Sie noch keine Karte hinzufügen.',
  },
  test: {
    title: 'Testkarte hinzufügen',
    description:
      'Diese Nummern funktionieren nur in der Sandbox. Jede zeigt, wie sich eine andere Art von Karte verhält.',
    add: 'Hinzufügen',
    addName: (label) => `Hinzufügen: Testkarte ${label}`,
    added: (label) => `Hinzugefügt: ${label}.`,
    cards: {
      success: { label: 'Erfolg', behaviour: 'Jede Zahlung gelingt.' },
      decline: { label: 'Ablehnung', behaviour: 'Jede Zahlung wird abgelehnt.' },
      insufficient_funds: { label: 'Kein Guthaben', behaviour: 'Jede Zahlung scheitert, weil das Geld nicht reicht.' },
      authentication_required: {
        label: 'Bestätigung nötig',
        behaviour: 'Bei jeder Zahlung fragt die Bank nach (3-D Secure), bevor etwas abgebucht wird.',
      },
      timeout: { label: 'Späte Antwort', behaviour: 'Die Zahlung gelingt, doch die Antwort kommt erst später.' },
      dispute: { label: 'Reklamation', behaviour: 'Jede Zahlung gelingt und wird bald darauf reklamiert.' },
    },
  },
}

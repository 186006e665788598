import type { Translated } from '@/components/i18n/texts'
import type { hoursText } from './hours-messages'

export const hoursTextDe: Translated<typeof hoursText> = {
  on: 'Ein',
  off: 'Aus',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  turnOnOf: (what) => `${what} einschalten`,
  turnOffOf: (what) => `${what} ausschalten`,
  saved: 'Gespeichert.',
  zone: (zone) => `In der Zeitzone Ihrer Limits: ${zone}.`,
  changeZone: 'Zeitzone ändern',
  quiet: {
    title: 'Ruhezeiten',
    hint: 'Nachrichten warten, bis sie enden. Nachrichten zur Sicherheit kommen immer.',
    from: 'Von',
    until: 'Bis',
    requests: 'Anfragen kommen trotzdem',
    requestsHint: 'Wenn das aus ist, warten auch Anfragen; inzwischen abgelaufene werden nicht verschickt.',
    same: 'Wählen Sie ein anderes Ende als den Beginn.',
    relax: {
      title: 'Ruhezeiten ändern?',
      body: 'Nachrichten warten, bis die Ruhezeiten enden, und Anfragen, die auch warten, können bis dahin abgelaufen sein. Wir teilen Ihnen die Änderung per E-Mail mit.',
      none: 'Keine Ruhezeiten',
      through: (from, until) => `${from} bis ${until}, Anfragen kommen trotzdem`,
      held: (from, until) => `${from} bis ${until}, Anfragen warten auch`,
    },
  },
  summary: {
    title: 'Tägliche Zusammenfassung',
    hint: 'Eine E-Mail mit dem, was gezahlt, angefragt und abgelehnt wurde. Keine an einem Tag ohne Ereignis.',
    hour: 'Um',
    needsMail: 'Sie wird verschickt, solange E-Mail an ist.',
  },
  language: {
    title: 'Sprache der Nachrichten',
    hint: 'Für E-Mails, Handynachrichten und Nachrichten auf Ihren Geräten. Das Portal hat eine eigene Auswahl im Menü.',
  },
}

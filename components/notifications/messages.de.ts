import type { Translated } from '@/components/i18n/texts'
import type { notificationsText } from './messages'

/** Kept on one line: a number that wraps is hard to read. */
const EXAMPLE = '+49\u00a0171\u00a03920000'

export const notificationsTextDe: Translated<typeof notificationsText> = {
  notifications: {
    title: 'Benachrichtigungen',
    description: 'Wie Sie erfahren, dass ein Agent etwas anfragt oder eine Zahlung erfolgt ist.',
    on: 'Ein',
    off: 'Aus',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    turnOnOf: (what) => `${what} einschalten`,
    turnOffOf: (what) => `${what} ausschalten`,
    email: {
      label: 'E-Mail',
      hint: (address) => `An ${address}`,
      noAddress: 'Ihr Konto hat noch keine E-Mail-Adresse, deshalb können wir Ihnen keine E-Mail schicken.',
    },
    rcs: {
      label: 'Nachricht aufs Handy',
      hint: 'Eine Chatnachricht (RCS) an die Nummer unten.',
      to: (number) => `An ${number}`,
    },
    phone: 'Handynummer',
    phoneHint: `Mit Landesvorwahl, zum Beispiel ${EXAMPLE}. An eine neue Nummer schicken wir einen Code.`,
    phoneMissing: 'Geben Sie die Nummer ein, an die Nachrichten gehen sollen.',
    phoneBad: `Geben Sie die Nummer mit Pluszeichen und Landesvorwahl ein, zum Beispiel ${EXAMPLE}.`,
    nobodyTold:
      'Ohne Benachrichtigungen laufen Anfragen still ab: Sie sehen sie nur hier im Portal, und was Sie nicht rechtzeitig sehen, ist vorbei.',
    always: 'E-Mails zur Anmeldung und zur Bestätigung eines Kaufs verschicken wir immer, was Sie hier auch wählen.',
    useNumber: 'Diese Nummer verwenden',
    removeNumber: 'Nummer entfernen',
    saved: 'Gespeichert. Das gilt ab sofort für jede Nachricht.',
    relax: {
      title: 'Benachrichtigungen ändern?',
      body: 'Durch Nachrichten erfahren Sie, was nicht von Ihnen kam, und ein Handy kann Zahlungen über Ihren Limits erlauben. Eine neue Nummer gilt, sobald Sie den Code eingegeben haben, den wir dorthin schicken.',
      nothing: 'Keine Nachrichten',
    },
    inUse: {
      title: 'Zurzeit verwendet',
      email: (address) => `E-Mail an ${address}`,
      phone: (number) => `Handynachrichten an ${number}`,
      devices: 'Nachrichten auf Ihren Geräten',
      nothing: 'Kein Kanal. Anfragen erscheinen nur hier im Portal.',
      approvesFrom: (time) =>
        `Zu Ihrer Sicherheit lassen sich Zahlungen über einem Limit erst ab ${time} von diesem Handy aus erlauben.`,
    },
    code: {
      title: 'Handy bestätigen',
      sent: (number) => `Wir haben einen Code an ${number} geschickt.`,
      needed: (number) =>
        `${number} ist noch nicht bestätigt, und es gibt keinen gültigen Code dafür. Lassen Sie sich einen neuen schicken.`,
      untilThen:
        'Bis Sie ihn eingeben, wird die Nummer nicht verwendet; Nachrichten kommen per E-Mail, wenn Sie eine Adresse haben.',
      untilThenPhone: (number) => `Bis Sie ihn eingeben, gehen Nachrichten weiter an ${number}.`,
      label: 'Code',
      hint: 'Sechs Ziffern, 10 Minuten gültig.',
      malformed: 'Geben Sie die sechs Ziffern des Codes ein.',
      wrong: 'Der Code stimmt nicht. Für jeden Code gibt es fünf Versuche.',
      over: 'Dieser Code gilt nicht mehr. Lassen Sie sich einen neuen schicken.',
      submit: 'Handy bestätigen',
      resend: 'Neuen Code schicken',
      done: 'Ihr Handy ist bestätigt. Nachrichten gehen ab jetzt dorthin.',
      resent: 'Ein neuer Code ist unterwegs. Frühere gelten nicht mehr.',
    },
    address: {
      title: 'E-Mail-Adresse',
      inUse: (address) => `Nachrichten und Anmeldelinks gehen an ${address}.`,
      none: 'Ihr Konto hat noch keine E-Mail-Adresse.',
      label: 'Neue E-Mail-Adresse',
      hint: 'Wir schicken einen Link dorthin. Bis Sie ihn bestätigen, ändert sich nichts.',
      bad: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      same: 'Diese Adresse wird schon verwendet.',
      submit: 'Adresse ändern',
      sent: 'Wir haben einen Link an die neue Adresse geschickt.',
      pending: (address, time) =>
        `${address} wartet bis ${time} darauf, dass Sie den Link bestätigen, den wir dorthin geschickt haben.`,
      cancel: 'Bisherige Adresse behalten',
      confirm: {
        title: 'E-Mail-Adresse ändern?',
        body: 'Anmeldelinks gehen an die neue Adresse, sobald sie bestätigt ist. Die bisherige erfährt es sofort, mit einem Link, der den Wechsel 72 Stunden lang rückgängig macht.',
        nothing: 'Keine Adresse',
      },
    },
    events: {
      title: 'Worüber wir Sie benachrichtigen',
      caption: 'Was über welchen Kanal mitgeteilt wird',
      column: 'Anlass',
      channels: { email: 'E-Mail', rcs: 'Handy', push: 'Gerät' },
      name: (event, channel) => `${event}: ${channel}`,
      rows: {
        approvals: { label: 'Etwas wartet auf Sie', hint: 'Käufe, Zugriffe und Limit-Anfragen. Immer an.' },
        security: {
          label: 'Sicherheit Ihres Kontos',
          hint: 'Passkeys, Adressen und was der Betreiber ändert. Immer an.',
        },
        payments: { label: 'Zahlungen', hint: 'Eine Zahlung ist erfolgt, gescheitert oder wird erstattet.' },
        near_limit: {
          label: 'Limit fast verbraucht',
          hint: 'Für Tag, Woche oder Monat: bei 80\u00a0% und bei 100\u00a0%.',
        },
        disputes: { label: 'Reklamationen', hint: 'Eine Zahlung wurde reklamiert, oder Ihre Bank hat entschieden.' },
      },
      saved: 'Gespeichert.',
      relax: {
        title: 'Diese Nachrichten ausschalten?',
        to: 'Keine Nachrichten',
        body: 'Durch Nachrichten über Zahlungen und Reklamationen erfahren Sie von Zahlungen, die Sie nicht wollten. Wir teilen Ihnen per E-Mail mit, dass sie ausgeschaltet wurden.',
      },
    },
    test: {
      button: 'Test senden',
      of: (channel) => `Test senden: ${channel}`,
      accepted: {
        email: (to, time) => `Um ${time} vom Mailserver für ${to} angenommen.`,
        rcs: (to, time) => `Um ${time} vom Handydienst für ${to} angenommen.`,
      },
      failed: 'Der Test wurde nicht angenommen. Wir versuchen es von selbst noch einmal.',
      nowhere: 'Es wurde nichts verschickt: Dieser Kanal ist aus oder hat keine Adresse.',
    },
  },
}

import type { Translated } from '@/components/i18n/texts'
import type { notificationsText } from './messages'

/** Kept on one line: a number that wraps is hard to read. */
const EXAMPLE = '+49\u00a0171\u00a03920000'

export const notificationsTextDe: Translated<typeof notificationsText> = {
  notifications: {
    title: 'Benachrichtigungen',
    description: 'Wie Sie erfahren, dass ein Agent etwas anfragt oder eine Zahlung erfolgt ist.',
    channels: 'Benachrichtigen per',
    email: {
      label: 'E-Mail',
      hint: (address) => `An ${address}`,
      noAddress: 'Ihr Konto hat noch keine E-Mail-Adresse, deshalb können wir Ihnen keine E-Mail schicken.',
    },
    rcs: { label: 'Nachricht aufs Handy', hint: 'Eine Chatnachricht (RCS) an die Nummer unten.' },
    phone: 'Handynummer',
    phoneHint: `Mit Landesvorwahl, zum Beispiel ${EXAMPLE}.`,
    phoneMissing: 'Geben Sie die Nummer ein, an die Nachrichten gehen sollen.',
    phoneBad: `Geben Sie die Nummer mit Pluszeichen und Landesvorwahl ein, zum Beispiel ${EXAMPLE}.`,
    nobodyTold:
      'Ohne Benachrichtigungen laufen Anfragen still ab: Sie sehen sie nur hier im Portal, und was Sie nicht rechtzeitig sehen, ist vorbei.',
    always: 'E-Mails zur Anmeldung und zur Bestätigung eines Kaufs verschicken wir immer, was Sie hier auch wählen.',
    save: 'Auswahl speichern',
    saved: 'Gespeichert. Das gilt ab sofort für jede Nachricht.',
    events: {
      title: 'Worüber',
      caption: 'Was über welchen Weg mitgeteilt wird',
      column: 'Anlass',
      channels: { email: 'E-Mail', rcs: 'Handy' },
      name: (event, channel) => `${event}: ${channel}`,
      rows: {
        approvals: { label: 'Etwas wartet auf Sie', hint: 'Käufe, Zugriffe und Limit-Anfragen. Immer an.' },
        security: { label: 'Sicherheit Ihres Kontos', hint: 'Passkeys und Anmeldung. Immer an.' },
        payments: { label: 'Zahlungen', hint: 'Eine Zahlung ist erfolgt, gescheitert oder wird erstattet.' },
        near_limit: { label: 'Tageslimit fast verbraucht', hint: 'Bei 80 % und bei 100 %.' },
        disputes: { label: 'Streitfälle', hint: 'Ein Streitfall beginnt, oder Ihre Bank hat entschieden.' },
      },
      save: 'Anlässe speichern',
      saved: 'Gespeichert.',
    },
    test: {
      title: 'Ausprobieren',
      hint: 'Schickt eine Nachricht, die nichts fragt, über jeden eingeschalteten und gespeicherten Weg.',
      button: 'Testnachricht senden',
      channels: { email: 'E-Mail', rcs: 'Handynachricht' },
      sent: (channels) => `Unterwegs per ${channels}.`,
      nowhere: 'Kein Weg ist eingeschaltet, der zu Ihnen führt. Schalten Sie einen ein und speichern Sie zuerst.',
    },
  },
}

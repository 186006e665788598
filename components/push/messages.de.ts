import type { Translated } from '@/components/i18n/texts'
import type { pushText } from './messages'

export const pushTextDe: Translated<typeof pushText> = {
  title: 'Dieses Gerät',
  on: 'Ein',
  off: 'Aus',
  states: {
    on: 'Was auf Sie wartet, erscheint hier, auch wenn keine Seite offen ist.',
    off: 'Solange keine Seite offen ist, erscheint hier nichts.',
    unsupported: 'Dieser Browser nimmt keine Nachrichten an.',
  },
  install: {
    title: 'Zuerst zum Home-Bildschirm hinzufügen',
    share: 'Drücken Sie auf „Teilen“.',
    add: 'Wählen Sie „Zum Home-Bildschirm“.',
    open: 'Öffnen Sie Countersign von dort und schalten Sie dort die Nachrichten ein.',
  },
  blocked:
    'Dieser Browser lässt keine Nachrichten dieser Seite zu. Erlauben Sie sie in seinen Einstellungen und versuchen Sie es noch einmal.',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  turnOffOf: (device) => `Nachrichten auf „${device}“ ausschalten`,
  ask: {
    title: 'Nachrichten auf diesem Gerät zeigen?',
    body: 'Sie zeigen, was auf Sie wartet, mit Beträgen und Händlern, wenn Sie die nicht ausblenden. Zum Entscheiden melden Sie sich weiterhin an. Wenn Sie sich abmelden, enden hier die Nachrichten.',
  },
  full: 'Sie haben schon zehn Geräte. Schalten Sie zuerst auf einem die Nachrichten aus.',
  devices: 'Geräte',
  unknown: 'Unbekannter Browser',
  name: (browser, system) => `${browser} unter ${system}`,
  thisOne: 'Dieses Gerät',
  never: 'Noch keine Nachricht',
  lastOk: 'Letzte Nachricht',
  failing: 'Nimmt keine Nachrichten an seit',
  test: {
    button: 'Test senden',
    of: (device) => `Test an ${device} senden`,
    accepted: (time) => `Um ${time} vom Push-Dienst angenommen.`,
    failed: 'Der Push-Dienst hat die Nachricht nicht angenommen. Wir versuchen es mit der nächsten wieder.',
    gone: 'Dieser Browser nimmt keine Nachrichten mehr an. Er wurde entfernt.',
  },
  hide: {
    label: 'Beträge und Händler auf dem Sperrbildschirm ausblenden',
    hint: 'Nachrichten sagen dann: Etwas wartet auf Sie.',
  },
}

import type { contactTexts } from './contacts'

export const contactTextsDe: typeof contactTexts = {
  phone: {
    subject: 'Für Ihre Wallet wurde eine neue Handynummer eingegeben',
    text: (digits, link) =>
      `Für Ihre Wallet wurde eine Handynummer eingegeben, die auf ${digits} endet. Sie wird verwendet, sobald der Code eingegeben ist, den wir dorthin geschickt haben; bis dahin ändert sich nichts. Wenn Sie das nicht waren, nehmen Sie die Nummer wieder heraus und sehen Sie nach, wo Sie angemeldet sind: ${link}`,
  },
  email: {
    subject: 'Die E-Mail-Adresse Ihrer Wallet wird geändert',
    asked:
      'In einer Sitzung Ihrer Wallet wurde eine andere E-Mail-Adresse angegeben. Sobald sie bestätigt ist, gehen Anmeldelinks und Nachrichten dorthin statt hierher.',
    look: (link) => `Wenn Sie das nicht waren, sehen Sie nach, wo Sie angemeldet sind: ${link}`,
    undo: (link) =>
      `Wenn Sie das nicht waren, öffnen Sie diesen Link und bestätigen Sie dort, dass der Wechsel rückgängig gemacht und abgemeldet wird, was sich seither angemeldet hat. Der Link funktioniert einmal, 72 Stunden lang, auch wenn der Wechsel dann schon vollzogen ist: ${link}`,
  },
  undone: {
    undo_email: {
      subject: 'Der Wechsel Ihrer E-Mail-Adresse wurde rückgängig gemacht',
      text: 'Die E-Mail-Adresse von vor dem letzten Wechsel gilt wieder, und was seither dazukam, ist entfernt.',
    },
    undo_passkey: {
      subject: 'Ein neuer Passkey wurde wieder aus Ihrer Wallet entfernt',
      text: 'Der zuletzt hinzugefügte Passkey ist entfernt, ebenso alles, was mit ihm hinzugefügt wurde.',
    },
    look: (link) =>
      `Das wurde in einer Sitzung Ihrer Wallet bestätigt. Wenn Sie das nicht waren, sehen Sie nach, was geschehen ist: ${link}`,
  },
  devices: {
    added: {
      subject: 'Nachrichten Ihrer Wallet wurden in einem Browser eingeschaltet',
      text: (device) =>
        `Nachrichten zu Ihrer Wallet erscheinen jetzt auch auf ${device}. Sie zeigen, was auf Sie wartet; zum Entscheiden melden Sie sich weiterhin an.`,
    },
    removed: {
      subject: 'Nachrichten Ihrer Wallet wurden in einem Browser ausgeschaltet',
      text: (device) => `Nachrichten zu Ihrer Wallet erscheinen nicht mehr auf ${device}.`,
    },
    unknown: 'einem Browser, den wir nicht kennen',
    look: (link) => `Wenn Sie das nicht waren, sehen Sie Ihre Geräte durch und wo Sie angemeldet sind: ${link}`,
  },
  mailOff: {
    subject: 'Ihre Wallet schickt Ihnen keine E-Mails mehr',
    text: (link) =>
      `E-Mails wurden für Ihre Wallet ausgeschaltet. Nur Anmeldelinks, Bestätigungen und Änderungen der Sicherheit kommen noch per E-Mail. Wenn Sie das nicht waren, schalten Sie sie wieder ein und sehen Sie nach, wo Sie angemeldet sind: ${link}`,
  },
  muted: {
    subject: 'Ihre Wallet schickt Ihnen weniger Nachrichten',
    text: (link) =>
      `Nachrichten über Zahlungen oder Reklamationen wurden für Ihre Wallet ausgeschaltet. Wenn Sie das nicht waren, schalten Sie sie wieder ein und sehen Sie nach, wo Sie angemeldet sind: ${link}`,
  },
  quietHours: {
    subject: 'Die Ruhezeiten Ihrer Wallet wurden geändert',
    text: (link) =>
      `Für Ihre Wallet wurden Ruhezeiten gewählt, die Anfragen zurückhalten oder länger als 12 Stunden dauern. Nachrichten warten, bis diese Zeiten enden, und Anfragen, die auch warten, können bis dahin ablaufen. Wenn Sie das nicht waren, ändern Sie die Ruhezeiten und sehen Sie nach, wo Sie angemeldet sind: ${link}`,
  },
  newAddress: {
    subject: 'Bestätigen Sie diese E-Mail-Adresse für eine Wallet',
    text: (link) =>
      `Diese E-Mail-Adresse wurde für eine Wallet angegeben. Öffnen Sie diesen Link, um zu sehen, für wessen, und um sie zu bestätigen. Er funktioniert einmal, 24 Stunden lang: ${link}\n\nWenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ohne Ihre Bestätigung ändert sich nichts.`,
  },
  knownAddress: {
    subject: 'An Ihrer Wallet hat sich nichts geändert',
    text: 'Diese E-Mail-Adresse wurde für eine andere Wallet angegeben. Sie gehört schon zu Ihrer, deshalb ist nichts geschehen, und Sie müssen nichts tun.',
  },
  code: (code) =>
    `${code} ist der Code, der dieses Handy für eine Countersign-Wallet bestätigt. Er gilt 10 Minuten. Geben Sie ihn nur ein, wenn Sie diese Nummer gerade dort angegeben haben, und sagen Sie ihn niemandem.`,
  test: {
    subject: 'Testnachricht von Countersign',
    text: (link) =>
      `Sie haben um eine Testnachricht gebeten, hier ist sie. Nichts wartet auf Sie. Ihre Auswahl: ${link}`,
  },
}

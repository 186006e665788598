import type { Translated } from '@/components/i18n/texts'
import type { securityActivityText } from './activity-messages'

export const securityActivityTextDe: Translated<typeof securityActivityText> = {
  title: 'Sicherheitsaktivität',
  description:
    'Anmeldungen der letzten 30 Tage und alles, was Sie oder andere erlaubt haben: wer für Sie handeln kann, was Agenten dürfen, und jeder Kauf, der freigegeben wurde.',
  empty: { title: 'Noch nichts geschehen', body: 'Hier erscheinen Anmeldungen und Änderungen der Sicherheit.' },
  list: 'Verlauf',
  older: 'Ältere',
  newest: 'Neueste',
  whole: 'Protokolleintrag',
  isNew: 'Neues Gerät oder neue Anmeldeart',
  ended: 'abgemeldet',
  alive: 'noch angemeldet',
  by: (agent) => `durch ${agent}`,
  here: (device) => `${device}, diese Sitzung`,
  means: {
    passkey: 'mit einem Passkey bestätigt',
    wallet_presentation: 'mit einem Nachweis in Ihrer Wallet-App bestätigt',
    magic_link: 'über einen Link aus einer E-Mail',
    demo: 'in der Demo-Sitzung',
    token: 'über eine verbundene App',
    callback: 'durch eine Antwort auf Ihrem Handy',
    setup_token: 'mit einem Code für einen neuen Agenten',
    processor: 'weil die bisherige Karte abgelaufen war',
    client_assertion: 'durch den Dienst, der Ihre Wallet betreibt',
    operator: 'durch den Betreiber',
    presentation: 'mit einer Wallet-App',
  },
  revoke: {
    button: 'Zugriff entziehen',
    of: (agent) => `${agent} den Zugriff entziehen`,
    title: (agent) => `${agent} den Zugriff entziehen?`,
    body: 'Er kann nicht mehr zahlen oder anfragen, und sein Zugriff endet sofort. Das lässt sich nicht zurücknehmen.',
    confirm: 'Zugriff entziehen',
  },
  remove: { button: 'Entfernen', of: (name) => `Den Passkey ${name} entfernen` },
  open: {
    agent: 'Agenten öffnen',
    limits: 'Limits öffnen',
    merchants: 'Händler öffnen',
    cards: 'Karten öffnen',
    notifications: 'Benachrichtigungen öffnen',
    privacy: 'Datenschutz öffnen',
  },
  undo: {
    title: 'Das können Sie noch rückgängig machen',
    description: 'Der Link in der E-Mail zu dieser Änderung bewirkt dasselbe.',
    what: {
      undo_email: (address) =>
        `Eine andere E-Mail-Adresse wurde angefragt. Wenn Sie das rückgängig machen, gilt wieder ${address}.`,
      undo_passkey: (name) =>
        `Der Passkey „${name}“ wurde hinzugefügt. Wenn Sie das rückgängig machen, wird er entfernt.`,
    },
    until: 'bis',
    onlyLink: (address) =>
      address === ''
        ? 'Nur der Link in der E-Mail dazu macht das rückgängig.'
        : `Nur der Link, der an ${address} ging, macht das rückgängig.`,
    button: 'Rückgängig machen',
    of: {
      undo_email: 'Die andere E-Mail-Adresse rückgängig machen',
      undo_passkey: (name) => `Den Passkey ${name} rückgängig machen`,
    },
    ask: 'Diese Änderung rückgängig machen?',
    consequences: {
      undo_email:
        'Passkeys, Handynummern und Wiederherstellungscodes, die seitdem hinzukamen, werden entfernt, und wer sich seitdem angemeldet hat, wird abgemeldet, außer in dieser Sitzung. Auch Wallet-Apps werden entfernt, wenn sie hinzukamen, seit die Sitzung geöffnet wurde, von der die Änderung ausging.',
      undo_passkey:
        'Auch Passkeys und Wiederherstellungscodes, die seitdem hinzukamen, werden entfernt, und was sie angemeldet haben, wird abgemeldet, außer in dieser Sitzung. Auch Wallet-Apps werden entfernt, wenn sie hinzukamen, seit die Sitzung geöffnet wurde, von der die Änderung ausging.',
    },
    how: {
      passkey: 'Sie bestätigen mit einem Passkey, der älter als die Änderung ist.',
      session: 'Sie haben sich gerade mit einem Link aus einer E-Mail angemeldet; das genügt.',
      sign_in: 'Sie bestätigen, indem Sie sich mit einem Link aus einer E-Mail neu anmelden.',
    },
    keep: 'Änderung behalten',
    done: 'Die Änderung wurde rückgängig gemacht. Wir haben Ihnen dazu eine E-Mail geschickt.',
  },
}

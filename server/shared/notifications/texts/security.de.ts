import type { securityTexts } from './security'

export const securityTextsDe: typeof securityTexts = {
  changes: {
    passkey_added: {
      subject: 'Ihrer Wallet wurde ein Passkey hinzugefügt',
      text: (name) => `Der Passkey ${name} kann sich jetzt bei Ihrer Wallet anmelden und für Sie bestätigen.`,
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde aus Ihrer Wallet entfernt',
      text: (name) => `Der Passkey ${name} kann sich nicht mehr bei Ihrer Wallet anmelden und nichts mehr bestätigen.`,
    },
    passkey_required: {
      subject: 'Freigaben brauchen jetzt einen Passkey',
      text: () =>
        'Ab jetzt wird nichts ohne einen Ihrer Passkeys oder eine damit hinzugefügte Wallet-App für Sie freigegeben.',
    },
    passkey_not_required: {
      subject: 'Freigaben brauchen keinen Passkey mehr',
      text: () =>
        'Ab jetzt dürfen Apps, die Sie mit Ihrer Wallet verbunden haben, ohne einen Ihrer Passkeys freigeben.',
    },
    passkeys_reset: {
      subject: 'Ihre Passkeys wurden entfernt',
      text: () => 'Der Betreiber Ihrer Wallet hat alle Ihre Passkeys entfernt und Sie überall abgemeldet.',
    },
    recovery_codes_made: {
      subject: 'Für Ihre Wallet wurden Wiederherstellungscodes erstellt',
      text: () =>
        'Wer einen davon hat und Ihre E-Mails liest, kann einen Passkey hinzufügen. Frühere Codes gelten nicht mehr.',
    },
    recovery_code_used: {
      subject: 'Ein Wiederherstellungscode Ihrer Wallet wurde verwendet',
      text: () =>
        'Jemand hat sich per E-Mail angemeldet und einen Ihrer Wiederherstellungscodes verwendet, um einen Passkey hinzuzufügen.',
    },
  },
  look: (link) => `Wenn Sie das nicht waren, sehen Sie jetzt Ihre Passkeys und Anmeldungen durch: ${link}`,
  undo: (link) =>
    `Wenn Sie das nicht waren, öffnen Sie diesen Link und bestätigen Sie dort, dass der Passkey entfernt und abgemeldet wird, was er angemeldet hat. Der Link funktioniert einmal, 72 Stunden lang: ${link}`,
  operator: {
    evidence_read: {
      subject: 'Der Betreiber hat den Nachweis einer Ihrer Zahlungen gelesen',
      text: 'Der Betreiber Ihrer Wallet hat den Nachweis einer Ihrer Zahlungen geöffnet. Darin steht, was wo für wie viel gekauft wurde und wie Sie zugestimmt haben. Betreiber brauchen ihn, wenn eine Zahlung reklamiert wird.',
    },
    credential_revoked: {
      subject: 'Der Betreiber hat einen Ihrer Nachweise widerrufen',
      text: 'Der Betreiber Ihrer Wallet hat einen Nachweis widerrufen, den eine Ihrer Wallet-Apps aufbewahrt. Er beweist nichts mehr.',
    },
  },
  operatorEntry: (link) => `In Ihren Sicherheitsaktivitäten steht der Eintrag: ${link}`,
  age: {
    proven: {
      subject: 'Ihr Alter wurde nachgewiesen',
      text: 'Eine Wallet-App hat Ihr Alter nachgewiesen. Ihre Agenten können jetzt dort kaufen, wo ein Mindestalter gilt.',
    },
    removed: {
      subject: 'Ihr Altersnachweis wurde entfernt',
      text: 'Ihre Agenten können nicht mehr kaufen, wo ein Mindestalter gilt.',
    },
  },
  ageLook: (link) => `Wenn Sie das nicht waren, sehen Sie jetzt nach: ${link}`,
}

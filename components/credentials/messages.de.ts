import type { Translated } from '@/components/i18n/texts'
import type { credentialsText } from './messages'

export const credentialsTextDe: Translated<typeof credentialsText> = {
  title: 'Wallet-Nachweise',
  description:
    'Ein Wallet-Nachweis ist eine signierte Aussage über Sie, die eine Wallet-App auf Ihrem Handy aufbewahrt und dort vorzeigt, wo Sie es wollen.',
  kinds: {
    service_mandate: {
      name: 'Dienst-Vollmacht',
      body: 'Sagt, dass Dienste für Sie kaufen dürfen. Für sich allein erlaubt sie keine Zahlung.',
    },
    service_age_verified_buyer: {
      name: 'Käufer mit geprüftem Alter',
      body: 'Sagt, welches Alter Sie erreicht haben, und nicht, wann Sie geboren sind.',
    },
  },
  issued: {
    title: 'In Wallet-Apps',
    description: 'Was über Sie ausgestellt wurde. Ein widerrufener Nachweis endet überall, wo er aufbewahrt wird.',
    empty: { title: 'Noch kein Nachweis', body: 'Was eine Wallet-App über Sie abruft, erscheint hier.' },
    at: 'Hinzugefügt',
    until: 'Gültig bis',
    ended: 'Abgelaufen',
    revokedAt: 'Widerrufen',
    statuses: { active: 'Gültig', expired: 'Abgelaufen', revoked: 'Widerrufen' },
  },
  revoke: {
    button: 'Widerrufen',
    name: (kind, date) => `${kind} vom ${date} widerrufen`,
    title: (kind) => `„${kind}“ widerrufen?`,
    body: 'Prüfende Stellen lehnen den Nachweis innerhalb weniger Minuten ab. Die Wallet-App zeigt ihn womöglich weiter an. Das lässt sich nicht rückgängig machen.',
    confirm: 'Nachweis widerrufen',
    done: (kind) => `„${kind}“ wurde widerrufen.`,
  },
  add: {
    title: 'Zu einer Wallet-App hinzufügen',
    description:
      'Ihre Wallet-App ruft eine Dienst-Vollmacht über Sie ab. Darin stehen Sie unter einer Kennung, die nur dieser Dienst Ihnen zuordnen kann. Von da an kann die Wallet-App Käufe für Sie freigeben.',
    confirm:
      'Der Nachweis sagt, wer Sie sind. Deshalb bestätigen Sie mit einem Passkey oder damit, dass Sie sich gerade mit einem Link aus einer E-Mail angemeldet haben.',
    button: 'Nachweis hinzufügen',
  },
  offer: {
    title: 'Mit der Wallet-App abrufen',
    once: 'Das wird nur jetzt angezeigt. Wer den Link und den Transaktionscode hat, bekommt den Nachweis.',
    scan: 'Scannen Sie dies mit Ihrer Wallet-App',
    open: 'oder öffnen Sie es auf diesem Gerät:',
    openHere: 'Öffnen Sie die Wallet-App auf diesem Gerät:',
    button: 'Wallet-App öffnen',
    qr: 'QR-Code, der das Angebot in einer Wallet-App öffnet',
    code: 'Transaktionscode',
    codeHint: 'Die Wallet-App fragt danach. Nach fünf falschen Eingaben endet das Angebot.',
    expires: 'Noch gültig:',
    statuses: {
      open: 'Warten auf Ihre Wallet-App',
      taken: 'Ihre Wallet-App hat das Angebot angenommen und ruft den Nachweis ab',
    },
    cancel: 'Angebot zurückziehen',
    added: { title: 'Hinzugefügt', body: 'Der Nachweis ist in Ihrer Wallet-App.', close: 'Schließen' },
    ended: { title: 'Das Angebot ist beendet', body: 'Damit wurde kein Nachweis hinzugefügt.' },
    expired: { title: 'Das Angebot ist abgelaufen', body: 'Damit wurde kein Nachweis hinzugefügt.' },
    another: 'Neu beginnen',
  },
}

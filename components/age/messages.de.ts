import type { Translated } from '@/components/i18n/texts'
import type { ageText } from './messages'

export const ageTextDe: Translated<typeof ageText> = {
  title: 'Alter',
  description:
    'Weisen Sie Ihr Alter einmal mit einer Wallet-App nach, dann können Ihre Agenten auch bei Händlern kaufen, die es verlangen.',
  asked: {
    title: (age) => `Ein Händler verkauft nur an Menschen ab ${age} Jahren`,
    body: 'Ihr Agent konnte dort nicht kaufen, und es wurde nichts abgebucht. Weisen Sie hier Ihr Alter nach und lassen Sie Ihren Agenten es dann erneut versuchen.',
    done: 'Sie haben dieses Alter nachgewiesen. Lassen Sie Ihren Agenten es erneut versuchen.',
  },
  learns:
    'Ihre Wallet-App zeigt nur eines: dass Sie dieses Alter erreicht haben. Wir speichern nur das, wer es bestätigt und bis wann es gilt, keinen Namen und kein Geburtsdatum. Ein Händler erfährt nur, dass Sie das dort nötige Alter erreicht haben.',
  none: {
    title: 'Noch nicht nachgewiesen',
    body: 'Ihre Agenten können nicht kaufen, wo Käufer ein Alter erreicht haben müssen.',
  },
  notOffered: {
    title: 'Hier nicht möglich',
    body: 'Der Betreiber Ihrer Wallet hat nicht festgelegt, wessen Nachweise gelten. Deshalb lässt sich hier kein Alter nachweisen.',
    sandbox:
      'In der Sandbox gibt dieser Befehl der Test-Wallet einen Nachweis und lässt den Server dessen Aussteller vertrauen:',
    command: 'Befehl',
  },
  proofs: 'Was Sie nachgewiesen haben',
  reached: (age) => `Sie sind mindestens ${age} Jahre alt`,
  valid: 'Nachgewiesen',
  ended: 'Abgelaufen',
  provenOn: 'Nachgewiesen am',
  endsOn: 'gültig bis',
  endedOn: 'abgelaufen am',
  by: 'Bestätigt durch',
  remove: 'Entfernen',
  removeName: (age) => `Den Nachweis entfernen, dass Sie mindestens ${age} Jahre alt sind`,
  removeTitle: 'Diesen Nachweis entfernen?',
  removeBody:
    'Ihre Agenten können dann nicht mehr kaufen, wo er nötig ist. Sie können Ihr Alter jederzeit neu nachweisen.',
  removed: 'Der Nachweis wurde entfernt.',
  prove: (age) => `Nachweisen, dass Sie mindestens ${age} Jahre alt sind`,
  again: (age) => `Neu nachweisen, dass Sie mindestens ${age} Jahre alt sind`,
  request: {
    title: 'Alter nachweisen',
    waiting: 'Warten auf Ihre Wallet-App',
    scan: 'Scannen Sie diesen Code mit Ihrer Wallet-App',
    qr: 'QR-Code für Ihre Wallet-App',
    here: 'Ist Ihre Wallet-App auf diesem Gerät?',
    open: 'Wallet-App öffnen',
    expires: 'Noch gültig:',
    yours: 'Verwenden Sie Ihre eigene Wallet-App und schicken Sie diesen Code niemandem: Die Antwort gilt für Sie.',
    sandbox: 'In der Sandbox antwortet die Test-Wallet mit diesem Befehl:',
    command: 'Befehl für die Test-Wallet',
    cancel: 'Abbrechen',
    verified: {
      title: 'Ihr Alter ist nachgewiesen',
      body: 'Ihre Agenten können jetzt kaufen, wo dieses Alter nötig ist.',
      see: 'Fertig',
    },
    refused: {
      title: 'Ihr Alter wurde nicht nachgewiesen',
      body: 'Die Wallet-App hat abgelehnt, oder was sie gezeigt hat, weist dieses Alter nicht nach. Davon wurde nichts gespeichert.',
      untrusted:
        'Der Betreiber Ihrer Wallet vertraut dem Aussteller dieses Nachweises nicht. Davon wurde nichts gespeichert.',
      ended: 'Der Nachweis ist abgelaufen oder wurde widerrufen. Davon wurde nichts gespeichert.',
    },
    expired: { title: 'Die Zeit ist abgelaufen', body: 'Es hat keine Wallet-App geantwortet.' },
    another: 'Erneut versuchen',
  },
}

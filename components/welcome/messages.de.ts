import type { Translated } from '@/components/i18n/texts'
import type { welcomeText } from './messages'

export const welcomeTextDe: Translated<typeof welcomeText> = {
  step: (number, name) => `Schritt ${number} von 4: ${name}`,
  names: { passkey: 'Passkey', card: 'Karte', limits: 'Limits', agent: 'Erster Agent' },
  leads: {
    passkey: 'Damit melden Sie sich an und bestätigen Käufe mit Fingerabdruck, Gesicht oder PIN.',
    card: 'Damit bezahlen Agenten, wenn Sie oder Ihre Regeln zugestimmt haben.',
    limits: 'Wie viel Ihre Agenten zusammen ausgeben dürfen; Sie können das später ändern.',
    agent: 'Verbinden Sie den Assistenten, der für Sie kaufen soll.',
  },
  done: {
    passkey: 'Sie haben einen Passkey.',
    card: 'Sie haben eine Karte.',
    agent: 'Ihr Agent ist verbunden.',
  },
  back: 'Zurück',
  continue: 'Weiter',
  notNow: 'Nicht jetzt',
  limits: {
    none: 'Ein leeres Feld heißt: kein Limit.',
    raises: 'Das erlaubt mehr als bisher. Drücken Sie noch einmal „Weiter“, um es zu bestätigen.',
  },
  agent: {
    where: 'Wo läuft Ihr Agent?',
    other: 'Woanders',
    change: 'Anderen Ort wählen',
  },
  ready: {
    title: 'Alles ist bereit.',
    next: 'Wie es weitergeht',
    steps: [
      'Bitten Sie Ihren Agenten, etwas zu kaufen.',
      'Seine Anfrage wartet unter „Freigaben“ auf Sie, mit Händler und Betrag, sofern Ihre Regeln sie nicht durchlassen.',
      'Was abgebucht wurde, steht unter „Zahlungen“.',
    ],
    try: 'Mit einem Kauf in der Sandbox ausprobieren',
    say: 'Sagen Sie das Ihrem Agenten. Es fließt kein echtes Geld.',
    prompt: (shop, address) => `Kaufe den günstigsten Artikel bei ${shop}: ${address}`,
    what: 'Worte für Ihren Agenten',
    shops: 'Alle Sandbox-Händler',
    approvals: 'Zu den Freigaben',
    home: 'Zur Startseite',
  },
}

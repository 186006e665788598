import type { Translated } from '@/components/i18n/texts'
import type { paymentText } from './payment-messages'

export const paymentTextDe: Translated<typeof paymentText> = {
  back: 'Alle Zahlungen',
  title: (amount, payee) => `${amount} an ${payee}`,
  to: 'an',
  timeline: 'Verlauf',
  steps: {
    asked: 'Angefragt',
    approved: 'Freigegeben',
    paid: 'Abgebucht',
    receipt: 'Beleg',
    disputed: 'Die Zahlung wurde reklamiert',
    dispute_won: 'Die Reklamation ist abgeschlossen, die Zahlung bleibt bestehen',
    dispute_lost: 'Die Reklamation ist abgeschlossen, das Geld kommt zurück',
  },
  via: { portal: 'in diesem Portal', token: 'über eine verbundene App', magic_link: 'per E-Mail-Link' },
  method: {
    passkey: 'mit Passkey',
    wallet_presentation: 'mit einem Nachweis in Ihrer Wallet-App',
    magic_link: 'in diesem Portal, angemeldet per E-Mail-Link',
    demo: 'in diesem Portal, in der Demo-Sitzung',
  },
  print: 'Beleg drucken',
  printed: {
    title: 'Beleg',
    moreItems: (count) => `und ${count} weitere`,
    proof: 'Nachweis dieser Zahlung',
    proofHint: (keys) =>
      `Der Code enthält den Beleg, den dieser Dienst signiert hat. Seine öffentlichen Schlüssel stehen unter ${keys}.`,
  },
  items: 'Artikel',
  noItems: 'Der Agent hat keine Artikel genannt.',
  why: 'Warum es erlaubt war',
  rule: {
    approved: 'Sie haben diesen Kauf freigegeben.',
    approved_over_limit: 'Sie haben erlaubt, dass dieser Kauf einmal ein Limit überschreitet.',
    remembered_merchant: 'Sie hatten schon einen Kauf dieses Agenten bei diesem Händler freigegeben.',
    within_limits:
      'Der Kauf lag innerhalb Ihrer Limits, und nach Ihrer Regel werden Sie nur gefragt, wenn er darüber liegt.',
  },
  ruleByApp: {
    approved: 'Über eine verbundene App freigegeben.',
    approved_over_limit: 'Über eine verbundene App freigegeben, einmal über einem Limit.',
  },
  seeApproval: 'Freigabe ansehen',
  details: 'Einzelheiten',
  agent: 'Agent',
  merchant: 'Händler',
  card: 'Karte',
  date: 'Datum',
  id: 'Zahlungs-ID',
  revoked: 'Zugriff entzogen',
  verified: 'Geprüfter Händler',
  unverified: 'Nicht geprüft',
  others: 'Alle Zahlungen an diesen Händler',
  proof: 'Nachweis',
  proofHint:
    'Der Beleg ist von diesem Dienst signiert. Jeder kann ihn mit den öffentlichen Schlüsseln prüfen, auch ohne Verbindung zu uns.',
  mandate: 'Erlaubnis-ID',
  audit: 'Protokolleinträge',
  auditEntry: (seq) => `Eintrag ${seq}`,
  tree: {
    name: 'Nachweis der Protokolleinträge',
    show: 'Diese Einträge nachweisen',
    hint: 'Ein Nachweis zeigt, dass ein Eintrag zum signierten Protokoll gehört, ohne andere Einträge zu zeigen.',
  },
  receipt: 'Signierter Beleg (JWS)',
  keys: 'Öffentliche Schlüssel (JWKS)',
  agreed: 'Vereinbart',
  charged: 'Abgebucht',
  same: 'derselbe Betrag',
  differs: 'nicht derselbe Betrag',
  verify: 'Signatur prüfen',
  verdict: {
    valid: {
      title: 'Die Signatur ist gültig',
      body: 'Der Beleg ist von diesem Dienst signiert und nennt diese Zahlung, ihren Betrag und ihren Empfänger.',
    },
    invalid: {
      title: 'Die Signatur ist nicht gültig',
      body: 'Verlassen Sie sich nicht auf diesen Beleg. Fragen Sie den Betreiber.',
    },
    other_payment: {
      title: 'Dieser Beleg gehört zu etwas anderem',
      body: 'Er ist von diesem Dienst signiert, aber nicht für diese Zahlung. Fragen Sie den Betreiber.',
    },
  },
  key: 'Schlüssel',
  evidence: {
    title: 'Beweise',
    hint: 'Eine Datei mit allem, was diese Zahlung belegt: was Sie wie freigegeben haben, die Erlaubnis, der Beleg und die Protokolleinträge, alles signiert. Ihre Bank, der Händler und alle anderen können sie prüfen, ohne uns zu fragen.',
    get: 'Beweise herunterladen',
    check: 'Eine Beweisdatei prüfen',
  },
  help: {
    title: 'Mit dieser Zahlung stimmt etwas nicht',
    intro: 'Sie haben mehrere Möglichkeiten, von der schnellsten zur stärksten:',
    merchant: (payee) =>
      `Fragen Sie zuerst ${payee}: Rückgaben, falsche Artikel und späte Lieferungen muss der Händler in Ordnung bringen. Nennen Sie ihm die Zahlungs-ID.`,
    agent:
      'Hat der Agent gekauft, was Sie nicht wollten, dann pausieren Sie ihn: Er kann nicht zahlen oder anfragen, bis Sie ihn fortsetzen. Entziehen Sie ihm den Zugriff, endet sofort alles, was er darf.',
    bank: 'Hilft der Händler nicht, oder haben Sie das nie freigegeben, rufen Sie die Bank an, die Ihre Karte ausgegeben hat, und reklamieren Sie die Abbuchung. Sie entscheidet; wir erfahren es und zeigen hier den Stand.',
    proof:
      'Laden Sie weiter unten die Beweise herunter und geben Sie sie Ihrer Bank: Sie zeigen, was wann mit wem vereinbart war.',
    seeAgent: 'Agenten öffnen',
    open: 'Die Reklamation läuft. Ihre Bank und der Händler klären sie; Sie müssen hier nichts tun.',
    won: 'Die Reklamation wurde zugunsten des Händlers beendet. Sehen Sie das anders, fragen Sie Ihre Bank, ob sie wieder aufgenommen werden kann.',
    lost: 'Die Reklamation wurde zu Ihren Gunsten beendet, und das Geld geht auf Ihre Karte zurück.',
  },
}

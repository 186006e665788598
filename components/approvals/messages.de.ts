import type { Translated } from '@/components/i18n/texts'
import type { consentText, scopeText } from './messages'

export const consentTextDe: Translated<typeof consentText> = {
  title: 'Anfrage freigeben',
  back: 'Alle Freigaben',
  payTo: 'an',
  verified: 'Geprüfter Händler',
  unverified: 'Nicht geprüft',
  unverifiedHint:
    'Niemand hat geprüft, wer diesen Shop betreibt. Vergleichen Sie seine Adresse mit der, die Sie erwarten.',
  punycode: (host) =>
    `Diese Adresse enthält Buchstaben aus einem anderen Alphabet (${host}). Vielleicht ahmt sie einen Händler nach, den Sie kennen. Lehnen Sie ab, wenn Sie nicht sicher sind.`,
  resembles: {
    title: (name, origin) => `Das ist nicht ${name} (${origin})`,
    body: 'Die Adresse sieht der bekannten sehr ähnlich, gehört aber jemand anderem. Lehnen Sie ab, wenn Sie dort kaufen wollten.',
  },
  askedBy: 'Angefragt von',
  ownWords: 'Vom Agenten geschrieben',
  purpose: 'Wofür der Agent da ist',
  purposeFrom: 'Wie beim Verbinden angegeben',
  lastTime: {
    title: 'Anders als beim letzten Mal',
    more: (amount) => `${amount} mehr als beim letzten Mal`,
    less: (amount) => `${amount} weniger als beim letzten Mal`,
    otherCurrency: 'Andere Währung als beim letzten Mal',
    otherAgent: 'Beim letzten Mal kaufte ein anderer Agent:',
    added: (count) => (count === 1 ? '1 Artikel ist neu' : `${count} Artikel sind neu`),
    changed: (count) => (count === 1 ? '1 Artikel hat sich geändert' : `${count} Artikel haben sich geändert`),
    gone: (count) => (count === 1 ? '1 Artikel fehlt' : `${count} Artikel fehlen`),
    isNew: 'Neu',
    before: (what) => `Beim letzten Mal ${what}`,
  },
  newMerchant: 'Für Sie neuer Händler',
  newAgent: 'Neuer Agent',
  items: 'Artikel',
  noPrice: 'Kein Preis angegeben',
  addsUp: 'Die Summe ergibt den Betrag',
  notAddedUp: 'Die Artikel passen nicht zum Betrag. Sie können diesen Kauf nicht freigeben.',
  unpriced: 'Der Agent hat nicht für jeden Artikel einen Preis genannt. Deshalb konnten wir die Summe nicht prüfen.',
  card: 'Zahlung mit',
  noCard: 'Sie haben keine Karte zum Bezahlen. Fügen Sie eine hinzu, bevor Sie freigeben.',
  addCard: 'Karte hinzufügen',
  effect: 'Ihr Tageslimit',
  leftToday: (amount) => `Heute noch ${amount}`,
  becomes: 'danach',
  noCap: 'Sie haben kein Tageslimit festgelegt.',
  exceeded: {
    heading: (count) => `Über ${count} Ihrer Limits`,
    kind: {
      single_txn_cap: 'Eine Zahlung',
      daily_cap: 'Heute',
      weekly_cap: 'Diese Woche',
      monthly_cap: 'Dieser Monat',
      velocity: 'Anzahl der Zahlungen',
    },
    limit: {
      wallet: (value) => `Limit ${value}`,
      agent: (value) => `Limit dieses Agenten ${value}`,
    },
    once: 'Ihre Freigabe erlaubt diesen Kauf einmal. Ihre Limits bleiben.',
  },
  refusedCurrency: (limit, asked) =>
    `Ihre Limits gelten in ${limit}; eine Zahlung in ${asked} würde deshalb abgewiesen. Ändern Sie Ihre Limits, um sie zu erlauben.`,
  changeLimits: 'Limits ändern',
  askAgain: {
    tell: 'Sagen Sie Ihrem Agenten:',
    purchase: (amount, payee) => `Bitte frag mich noch einmal nach ${amount} an ${payee}.`,
    access: 'Bitte frag mich noch einmal nach dem Zugriff auf meine Wallet.',
    what: 'den Satz für Ihren Agenten',
  },
  expired: {
    title: 'Abgelaufen. Es wurde nichts abgebucht.',
    wallet: 'Abgelaufen. Der Agent erhält keinen Zugriff.',
  },
  withdrawn: {
    title: 'Zurückgezogen',
    body: 'Es wurde nichts abgebucht.',
    why: {
      frozen: 'Zurückgezogen: Die Ausgaben wurden eingefroren',
      paused: 'Zurückgezogen: Der Agent wurde pausiert',
      restricted: 'Zurückgezogen: Sie haben die Verarbeitung eingeschränkt',
      presented: 'Zurückgezogen: Der Agent hat nicht länger gewartet',
    },
  },
  approved: {
    heading: 'Freigegeben',
    waiting: 'Freigegeben. Warten auf die Abbuchung durch den Händler.',
    canCharge: (payee, amount) => `${payee} kann jetzt ${amount} abbuchen. Sie können diese Seite schließen.`,
    answerBank: 'Der Bank antworten',
    wallet: (agent) =>
      `${agent} hat jetzt diesen Zugriff. Sie können diese Seite schließen und den Zugriff jederzeit entziehen.`,
    progress: {
      in_progress: 'Die Karte wird gerade belastet.',
      requires_action: 'Ihre Bank bittet um Ihre Bestätigung. Vorher wird nichts abgebucht.',
      unknown: 'Die Bank hat uns das Ergebnis noch nicht mitgeteilt. Es kann nicht doppelt abgebucht werden.',
    },
  },
  already: { approved: 'Bereits freigegeben um', declined: 'Bereits abgelehnt um' },
  paid: {
    heading: 'Bezahlt',
    body: (payee, amount) => `${payee} hat ${amount} abgebucht.`,
    receipt: 'Zahlung ansehen',
  },
  failed: {
    heading: 'Zahlung fehlgeschlagen',
    body: 'Die Karte konnte nicht belastet werden. Es wurde nichts abgebucht.',
  },
  unused: {
    heading: 'Freigegeben, aber nie abgebucht',
    body: (agent) => `${agent} hat den Kauf nicht rechtzeitig abgeschlossen. Es wurde nichts abgebucht.`,
  },
  declined: {
    heading: 'Abgelehnt. Es wird nichts abgebucht.',
    wallet: 'Abgelehnt. Der Agent erhält keinen Zugriff.',
  },
  wallet: {
    heading: 'Zugriff auf Ihre Wallet',
    may: 'Der Agent möchte',
    untilRevoked: 'Ihre Antwort gilt für diesen Agenten, bis Sie ihm den Zugriff entziehen.',
    warning:
      'Ein Agent, der Ihre Wallet ändern darf, kann auch Käufe ohne Sie freigeben. Erlauben Sie es nur, wenn Sie das wirklich wollen.',
  },
  list: {
    title: 'Freigaben',
    description: 'Was Ihre Agenten bei Ihnen anfragen und was Sie geantwortet haben.',
    waiting: 'Offen',
    decided: 'Entschieden',
    overLimits: (count) => (count === 1 ? 'über 1 Limit' : `über ${count} Limits`),
    emptyWaiting: {
      title: 'Nichts offen',
      told: {
        email: 'Benachrichtigungen: an, per E-Mail.',
        rcs: 'Benachrichtigungen: an, aufs Handy.',
        push: 'Benachrichtigungen: an, auf Ihren Geräten.',
        both: 'Benachrichtigungen: an, per E-Mail und aufs Handy.',
        several: 'Benachrichtigungen: an, auf Ihren Geräten und per Nachricht.',
        nothing: 'Benachrichtigungen: aus. Anfragen laufen ab, wenn Sie nicht hier nachsehen.',
      },
      change: 'Benachrichtigungen ändern',
    },
    emptyDecided: {
      title: 'Noch nichts entschieden',
      body: 'Was Sie freigeben, ablehnen oder ablaufen lassen, steht hier.',
      waiting: 'Wartendes ansehen',
    },
    order: { label: 'Reihenfolge', time: 'Restzeit', agent: 'Agent' },
    search: 'Wartende Anfragen durchsuchen',
    nothingFound: 'Nichts, was wartet, enthält diese Wörter.',
    waitingCount: (count) => `${count} ${count === 1 ? 'wartet' : 'warten'}`,
    declineAll: {
      button: (count) => (count === 1 ? 'Ablehnen' : `Alle ${count} ablehnen`),
      name: (count, agent) => (count === 1 ? `Ablehnen, von ${agent}` : `Alle ${count} ablehnen, von ${agent}`),
      question: (count) => (count === 1 ? 'Diese Anfrage ablehnen?' : `${count} Anfragen ablehnen?`),
      confirm: (count) => (count === 1 ? 'Ablehnen' : `${count} Anfragen ablehnen`),
      keep: (count) => (count === 1 ? 'Behalten' : 'Alle behalten'),
    },
    refusedOverLimits: (count) => (count === 1 ? 'abgewiesen: über 1 Limit' : `abgewiesen: über ${count} Limits`),
    newer: 'Neuere',
    older: 'Ältere',
    pages: 'Seiten',
    access: 'Zugriff auf Ihre Wallet',
    left: 'übrig',
  },
  status: {
    pending: 'Offen',
    approved: 'Freigegeben',
    declined: 'Abgelehnt',
    withdrawn: 'Zurückgezogen',
    expired: 'Abgelaufen',
  },
  decided: {
    passkey: 'Mit Passkey freigegeben',
    wallet_presentation: 'Mit einer Wallet-App freigegeben',
    approved: 'Von Ihnen freigegeben',
    approvedElsewhere: 'Über eine verbundene App freigegeben',
    declined: 'Von Ihnen abgelehnt',
    declinedElsewhere: 'Über eine verbundene App abgelehnt',
    agent_revoked: 'Abgelehnt: Dem Agenten wurde der Zugriff entzogen',
    expired: 'Abgelaufen',
  },
}

/** What a permission means, in words. */
export const scopeTextDe: Translated<typeof scopeText> = {
  'oid4ac:payment': {
    title: 'Zahlungen anfragen',
    hint: 'Fragt Käufe an; über jeden entscheiden Sie oder Ihre Regeln.',
  },
  'payment:execute': {
    title: 'Freigegebenes bezahlen',
    hint: 'Schließt einen Kauf ab, nachdem er freigegeben wurde.',
  },
  'wallet:read': {
    title: 'Ihre Wallet sehen',
    hint: 'Sieht Ihre Agenten, Limits, Karten (die letzten vier Ziffern) und offenen Anfragen.',
  },
  'wallet:write': {
    title: 'Ihre Wallet ändern',
    hint: 'Ändert Limits und Karten, entzieht Agenten den Zugriff und gibt in Ihrem Namen Anfragen frei oder lehnt sie ab.',
  },
  'audit:read': {
    title: 'Ihren Zahlungsverlauf sehen',
    hint: 'Liest Ihre Zahlungen und das Protokoll dessen, was geschehen ist.',
  },
  'privacy:dsar': {
    title: 'Ihre Datenschutzrechte ausüben',
    hint: 'Exportiert, berichtigt oder löscht in Ihrem Namen Ihre personenbezogenen Daten.',
  },
}

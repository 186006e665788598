import type { paymentTexts } from './payments'

const reasons: typeof paymentTexts.failed.reasons = {
  amount_not_supported: 'Der Zahlungsdienstleister kann diesen Betrag in dieser Währung nicht abbuchen.',
  authentication_required: 'Die Bank bat um Bestätigung der Zahlung, und sie blieb aus.',
  authorization_withdrawn: 'Die Erlaubnis zu zahlen wurde zurückgezogen, bevor die Karte belastet wurde.',
  canceled: 'Die Zahlung wurde abgebrochen, bevor die Karte belastet wurde.',
  card_declined: 'Die Karte wurde abgelehnt.',
  currency_not_supported: 'Der Zahlungsdienstleister kann in dieser Währung nicht abbuchen.',
  expired_card: 'Die Karte ist abgelaufen.',
  insufficient_funds: 'Die Karte ist nicht gedeckt.',
  payment_intent_authentication_failure: 'Die Bank konnte nicht bestätigen, dass Sie es waren.',
  processor_error: 'Beim Zahlungsdienstleister ist ein Fehler aufgetreten.',
  processor_unavailable: 'Der Zahlungsdienstleister war nicht erreichbar; die Karte wurde nicht belastet.',
  wrong_amount: 'Der Zahlungsdienstleister hat einen anderen Betrag abgebucht als bestellt; Sie bekommen ihn zurück.',
}

export const paymentTextsDe: typeof paymentTexts = {
  card: (name) => `Ihrer Karte (${name})`,
  paid: {
    subject: (money, shop) => `Sie haben ${money} an ${shop} gezahlt`,
    text: (money, shop, card) => `Ihr Agent hat ${money} an ${shop} mit ${card} gezahlt.`,
  },
  failed: {
    subject: (money, shop) => `Eine Zahlung von ${money} an ${shop} ist gescheitert`,
    tried: (money, shop, card) => `Ihr Agent wollte ${money} an ${shop} mit ${card} zahlen.`,
    notCharged: (reason) => `${reason} Es wurde nichts abgebucht.`,
    reasons,
    otherReason: 'Die Zahlung wurde abgelehnt.',
  },
  refund: {
    subject: (money) => `Sie bekommen ${money} zurück`,
    text: (money) =>
      `Ihre Karte wurde mit ${money} für eine Zahlung belastet, die bei uns nicht zustande gekommen war. Wir erstatten das Geld; bei Ihrer Bank ist es in einigen Tagen zu sehen.`,
  },
  disputes: {
    what: (money, shop) => `${money} an ${shop}`,
    pending: {
      subject: (what) => `Ihre Zahlung von ${what} wurde reklamiert`,
      text: 'Die Reklamation ging bei Ihrer Bank ein und wird geprüft. Sie erfahren, wie sie endet.',
    },
    won: {
      subject: (what) => `Die Reklamation zu ${what} ist abgeschlossen: Die Zahlung bleibt bestehen`,
      text: 'Sie wurde zugunsten des Händlers entschieden. Es wird nichts weiter abgebucht.',
    },
    lost: {
      subject: (what) => `Die Reklamation zu ${what} ist abgeschlossen: Das Geld geht zurück`,
      text: 'Sie wurde zu Ihren Gunsten entschieden, und Ihre Bank erstattet das Geld auf Ihre Karte.',
    },
  },
  nearLimit: {
    kinds: { daily_cap: 'Tageslimits', weekly_cap: 'Wochenlimits', monthly_cap: 'Monatslimits' },
    subject: (percent, limit) => `Sie haben ${percent}\u00a0% Ihres ${limit} verbraucht`,
    used: (used, limit, cap) => `Ihre Agenten haben ${used} Ihres ${limit} von ${cap} verbraucht.`,
    left: (money, until) => `Es bleiben ${money} bis ${until}.`,
    usedUp: (until) => `Ihr Limit ist bis ${until} verbraucht. Bis dahin braucht jede Zahlung Ihre Freigabe.`,
    midnight: 'Mitternacht UTC',
  },
}

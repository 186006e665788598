import type { requestTexts } from './requests'

export const requestTextsDe: typeof requestTexts = {
  access: { subject: 'Ein Agent bittet um Zugriff', wish: 'Ein Agent möchte Ihre Wallet sehen oder ändern.' },
  purchase: {
    subject: 'Ein Agent möchte etwas kaufen',
    wish: (money, shop) => `Ein Agent möchte ${money} an ${shop} zahlen.`,
  },
  excess: {
    subject: (money) => `Eine Zahlung von ${money} liegt über Ihren Limits`,
    wish: (money, shop) => `Einer Ihrer Agenten möchte ${money} an ${shop} zahlen. Es wurde nichts abgebucht.`,
    decide: (link) => `Einmal erlauben oder ablehnen: ${link}`,
  },
  bank: {
    subject: (money, shop) => `Ihre Bank bittet Sie, ${money} an ${shop} zu bestätigen`,
    wish: (money, shop, card) =>
      `Ihr Agent zahlt ${money} an ${shop} mit ${card}. Ihre Bank bittet Sie um Bestätigung, vorher wird nichts abgebucht.`,
    decide: (minutes, link) => `Innerhalb von ${minutes} Minuten bestätigen oder ablehnen: ${link}`,
  },
  confirmed: {
    subject: (money, shop) => `Bestätigen: Ein Agent möchte ${money} an ${shop} zahlen`,
    accessSubject: 'Bestätigen: Ein Agent möchte Ihre Wallet nutzen',
    wish: (money, shop) =>
      `Ein Agent möchte ${money} an ${shop} zahlen. Ihre Regeln erlauben es; es muss per E-Mail bestätigt werden.`,
    accessWish: 'Ein Agent möchte Ihre Wallet nutzen. Ihre Regeln erlauben es; es muss per E-Mail bestätigt werden.',
    decide: (minutes, link) => `Ansehen und innerhalb von ${minutes} Minuten bestätigen: ${link}`,
    ifNothing: 'Wenn Sie nichts tun, passiert nichts.',
  },
  agent: (name) => `Agent: ${name}`,
  shop: (address, verified) => `Händler: ${address} (${verified ? 'Geprüfter Händler' : 'Nicht geprüft'})`,
  decide: (link) => `Anfrage ansehen und entscheiden: ${link}`,
  ifNothing: 'Wenn Sie nichts tun, wird nichts abgebucht.',
  exceeded: {
    title: (limits) => (limits === 1 ? 'Über 1 Ihrer Limits:' : `Über ${limits} Ihrer Limits:`),
    line: (what, asked, limit) => `- ${what}: ${asked}, Limit ${limit}`,
    agentLine: (what, asked, limit) => `- ${what}: ${asked}, Limit dieses Agenten ${limit}`,
    kinds: {
      single_txn_cap: 'Eine Zahlung',
      daily_cap: 'Heute',
      weekly_cap: 'Diese Woche',
      monthly_cap: 'Diesen Monat',
      velocity: 'Anzahl der Zahlungen',
    },
    once: 'Ihre Freigabe erlaubt diesen Kauf einmal. Ihre Limits bleiben.',
  },
}

import type { Translated } from '@/components/i18n/texts'
import type { spendingText } from './spending-messages'

export const spendingTextDe: Translated<typeof spendingText> = {
  period: 'Zeitraum',
  periods: {
    this_week: 'Diese Woche',
    this_month: 'Dieser Monat',
    last_month: 'Letzter Monat',
    last_12_months: 'Letzte 12 Monate',
    range: 'Von–bis',
  },
  per: 'Nach',
  parts: { day: 'Tag', month: 'Monat', merchant: 'Händler', agent: 'Agent' },
  from: 'Von',
  to: 'Bis',
  order: '„Bis“ liegt vor „Von“.',
  tooLong: 'Höchstens zehn Jahre.',
  days: (timeZone) =>
    `${timeZone === 'UTC' ? 'Tage in UTC.' : `Tage Ihrer Zeitzone: ${timeZone}.`} Was nach einer Reklamation zurückkam, zählt nicht mit.`,
  none: {
    title: 'Nichts ausgegeben',
    body: 'Ihre Agenten haben an diesen Tagen nichts bezahlt, und an den Tagen davor auch nicht.',
  },
  until: 'bis',
  span: { one: (day) => `am ${day}`, many: (days) => `vom ${days}` },
  more: (amount, difference, days) => `${amount}, ${difference} mehr als ${days}`,
  less: (amount, difference, days) => `${amount}, ${difference} weniger als ${days}`,
  same: (amount, days) => `${amount}, so viel wie ${days}`,
  count: (count, days) => (count === 1 ? `1 Zahlung, ${days}` : `${count} Zahlungen, ${days}`),
  table: {
    day: (currency) => `Ausgaben nach Tagen in ${currency}`,
    month: (currency) => `Ausgaben nach Monaten in ${currency}`,
    merchant: (currency) => `Ausgaben nach Händlern in ${currency}`,
    agent: (currency) => `Ausgaben nach Agenten in ${currency}`,
  },
  asTable: 'Als Tabelle',
  payments: 'Zahlungen',
  amount: 'Betrag',
  others: { merchant: 'Alle übrigen Händler', agent: 'Alle übrigen Agenten' },
}

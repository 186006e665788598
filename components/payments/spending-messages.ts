import type { Texts } from '@/components/i18n/texts'

export const spendingText = {
  period: 'Period',
  periods: {
    this_week: 'This week',
    this_month: 'This month',
    last_month: 'Last month',
    last_12_months: 'Last 12 months',
    range: 'From–to',
  },
  per: 'Per',
  parts: { day: 'Day', month: 'Month', merchant: 'Merchant', agent: 'Agent' },
  from: 'From',
  to: 'To',
  order: '“To” is before “From”.',
  tooLong: 'At most ten years.',
  /** UTC is the zone of a person who has chosen none. */
  days: (timeZone: string) =>
    `${timeZone === 'UTC' ? 'Days in UTC.' : `Days of your time zone: ${timeZone}.`} What a dispute gave back is left out.`,
  none: { title: 'Nothing spent', body: 'Your agents have not paid in these days, nor in the days before.' },
  until: 'to',
  /** The days as the three comparisons contain them. */
  span: { one: (day: string) => `on ${day}`, many: (days: string) => String(days) },
  more: (amount: string, difference: string, days: string) => `${amount}, ${difference} more than ${days}`,
  less: (amount: string, difference: string, days: string) => `${amount}, ${difference} less than ${days}`,
  same: (amount: string, days: string) => `${amount}, as much as ${days}`,
  count: (count: number, days: string) => (count === 1 ? `1 payment, ${days}` : `${count} payments, ${days}`),
  table: {
    day: (currency: string) => `Spent by day in ${currency}`,
    month: (currency: string) => `Spent by month in ${currency}`,
    merchant: (currency: string) => `Spent by merchant in ${currency}`,
    agent: (currency: string) => `Spent by agent in ${currency}`,
  },
  asTable: 'As a table',
  payments: 'Payments',
  amount: 'Amount',
  others: { merchant: 'All other merchants', agent: 'All other agents' },
} as const

export const spendingTexts: Texts<typeof spendingText> = {
  en: spendingText,
  de: () => import('./spending-messages.de').then((german) => german.spendingTextDe),
}

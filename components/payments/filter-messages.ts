import type { Texts } from '@/components/i18n/texts'

export const filterText = {
  search: { label: 'Search payments', hint: 'Shop, item, or the amount or how it begins.' },
  filter: 'Filter',
  status: 'Status',
  agent: 'Agent',
  merchant: 'Merchant',
  from: 'From',
  to: 'To',
  any: 'Any',
  /** UTC is the zone of a person who has chosen none. */
  days: (timeZone: string) => (timeZone === 'UTC' ? 'Days in UTC.' : `Days of your time zone: ${timeZone}.`),
  order: '“To” is before “From”.',
  list: 'What the list is narrowed to',
  remove: (what: string) => `Remove: ${what}`,
  clear: 'Show all',
  sum: (payments: string, amount: string) => `${payments}, ${amount}`,
} as const

export const filterTexts: Texts<typeof filterText> = {
  en: filterText,
  de: () => import('./filter-messages.de').then((german) => german.filterTextDe),
}

import type { Translated } from '@/components/i18n/texts'
import type { filterText } from './filter-messages'

export const filterTextDe: Translated<typeof filterText> = {
  search: { label: 'Zahlungen durchsuchen', hint: 'Händler, Artikel, der Betrag oder wie er beginnt.' },
  filter: 'Filtern',
  status: 'Status',
  agent: 'Agent',
  merchant: 'Händler',
  from: 'Von',
  to: 'Bis',
  any: 'Alle',
  days: (timeZone) => (timeZone === 'UTC' ? 'Tage in UTC.' : `Tage Ihrer Zeitzone: ${timeZone}.`),
  order: '„Bis“ liegt vor „Von“.',
  list: 'Worauf die Liste eingegrenzt ist',
  remove: (what) => `Entfernen: ${what}`,
  clear: 'Alle anzeigen',
  sum: (payments, amount) => `${payments}, ${amount}`,
}

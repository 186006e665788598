import type { Translated } from '@/components/i18n/texts'
import type { currencyText } from './currency-messages'

export const currencyTextDe: Translated<typeof currencyText> = {
  newTitle: 'Neue Währung',
  sums: {
    day: (amount) => `${amount} pro Tag`,
    week: (amount) => `${amount} pro Woche`,
    month: (amount) => `${amount} pro Monat`,
    each: (amount) => `${amount} pro Zahlung`,
  },
  remove: (currency) => `${currency} entfernen`,
  cancel: 'Abbrechen',
  empty: 'Geben Sie mindestens ein Limit ein.',
}

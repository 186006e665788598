import type { Texts } from '@/components/i18n/texts'

export const currencyText = {
  newTitle: 'New currency',
  sums: {
    day: (amount: string) => `${amount} a day`,
    week: (amount: string) => `${amount} a week`,
    month: (amount: string) => `${amount} a month`,
    each: (amount: string) => `${amount} each`,
  },
  remove: (currency: string) => `Remove ${currency}`,
  cancel: 'Cancel',
  empty: 'Enter at least one limit.',
} as const

export const currencyTexts: Texts<typeof currencyText> = {
  en: currencyText,
  de: () => import('./currency-messages.de').then((german) => german.currencyTextDe),
}

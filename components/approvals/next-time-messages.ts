import type { Texts } from '@/components/i18n/texts'

export const nextTimeText = {
  title: 'Next time here',
  askAbove: (amount: string) => `Ask above ${amount}`,
  other: 'Ask above another amount',
  otherAmount: (currency: string) => `Amount in ${currency}`,
  badAmount: 'Enter an amount above zero.',
  everyTime: 'Ask every time',
} as const

export const nextTimeTexts: Texts<typeof nextTimeText> = {
  en: nextTimeText,
  de: () => import('./next-time-messages.de').then((german) => german.nextTimeTextDe),
}

import type { Texts } from '@/components/i18n/texts'

export const accessibilityText = {
  title: 'Accessibility',
  standard: {
    title: 'What we hold to',
    body: 'These pages are made to conform to WCAG 2.2, level AA, as EN 301 549 and the European Accessibility Act ask for.',
  },
  checked: {
    title: 'Last check',
    body: 'On 23 November 2026, by ourselves: every page in light and dark, at 320 pixels, with the keyboard alone, and by automatic tests.',
  },
  known: {
    title: 'What does not conform yet',
    items: [
      'Card numbers and the answers to your bank are entered on pages of the card processor and the bank, which we cannot change.',
      'A QR code cannot be read by ear. Beside each one stands a link or a code that does the same.',
    ],
  },
  contact: {
    title: 'Tell us',
    body: 'If something keeps you from using these pages, tell us what it is and which page it is on. We answer within 14 days.',
    none: 'The operator of this server has not named an address. Ask those who gave you your wallet.',
  },
  enforcement: {
    title: 'If our answer does not help',
    body: 'You may turn to the body that watches over accessibility in the country where you live.',
  },
} as const

export const accessibilityTexts: Texts<typeof accessibilityText> = {
  en: accessibilityText,
  de: () => import('./messages.de').then((german) => german.accessibilityTextDe),
}

import type { Texts } from '@/components/i18n/texts'

export const freezeText = {
  freeze: 'Freeze spending',
  title: 'Spending is frozen',
  body: 'Nothing is paid and nobody is asked.',
  since: 'Since',
  unfreeze: 'Unfreeze',
  question: 'Let agents spend again?',
  asBefore: 'Your limits are as they were.',
  keep: 'Keep frozen',
} as const

export const freezeTexts: Texts<typeof freezeText> = {
  en: freezeText,
  de: () => import('./freeze-messages.de').then((german) => german.freezeTextDe),
}

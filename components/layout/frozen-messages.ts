import type { Texts } from '@/components/i18n/texts'

export const frozenText = {
  title: 'Spending is frozen',
  body: 'Nothing is paid and nobody is asked.',
  since: 'Since',
  unfreeze: 'Unfreeze',
  question: 'Let agents spend again?',
  asBefore: 'Your limits are as they were.',
  keep: 'Keep frozen',
} as const

export const frozenTexts: Texts<typeof frozenText> = {
  en: frozenText,
  de: () => import('./frozen-messages.de').then((german) => german.frozenTextDe),
}

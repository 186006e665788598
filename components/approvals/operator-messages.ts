import type { Texts } from '@/components/i18n/texts'

export const operatorText = {
  operatedBy: 'Operated by',
  verified: 'verified',
} as const

export const operatorTexts: Texts<typeof operatorText> = {
  en: operatorText,
  de: () => import('./operator-messages.de').then((german) => german.operatorTextDe),
}

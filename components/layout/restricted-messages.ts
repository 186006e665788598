import type { Texts } from '@/components/i18n/texts'

export const restrictedText = {
  title: 'Processing is restricted',
  body: 'Agents get no permission and nothing new is charged.',
  lift: 'Lift it under Privacy',
} as const

export const restrictedTexts: Texts<typeof restrictedText> = {
  en: restrictedText,
  de: () => import('./restricted-messages.de').then((german) => german.restrictedTextDe),
}

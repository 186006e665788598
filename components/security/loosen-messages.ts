import type { Texts } from '@/components/i18n/texts'

/** What a page asks before agents may do more without the person. */
export const loosenText = {
  confirm: 'Confirm',
  becomes: 'becomes',
  how: 'You confirm with your passkey. If you have none, having signed in just now is enough.',
} as const

export const loosenTexts: Texts<typeof loosenText> = {
  en: loosenText,
  de: () => import('./loosen-messages.de').then((german) => german.loosenTextDe),
}

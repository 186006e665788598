import type { Texts } from '@/components/i18n/texts'

/** The texts of the dialog that confirms a change which relaxes something. */
export const relaxText = {
  confirm: 'Confirm',
  becomes: 'becomes',
  how: 'You confirm with your passkey. If you have none, having signed in just now is enough.',
} as const

export const relaxTexts: Texts<typeof relaxText> = {
  en: relaxText,
  de: () => import('./relax-messages.de').then((german) => german.relaxTextDe),
}

import type { Texts } from '@/components/i18n/texts'

export const sessionText = {
  idle: {
    title: 'You are about to be signed out',
    body: 'Nobody has used this page for a while, so it signs you out within a minute.',
    stay: 'Stay signed in',
  },
} as const

export const sessionTexts: Texts<typeof sessionText> = {
  en: sessionText,
  de: () => import('./session-messages.de').then((german) => german.sessionTextDe),
}

import type { Texts } from '@/components/i18n/texts'

export const sessionText = {
  over: {
    title: 'You are signed out',
    body: 'What you entered is still here. Sign in, which opens another tab, and then go on in this one.',
    signIn: 'Sign in',
  },
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

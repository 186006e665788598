import type { Texts } from '@/components/i18n/texts'

/** The texts of the set-up that the home page uses too. */
export const setupText = {
  title: 'Set up',
  count: (done: number) => `Set up: ${done} of 4 done`,
  continue: 'Continue setup',
  done: 'Done',
  toDo: 'To do',
  steps: {
    passkey: { title: 'Add a passkey', body: 'Sign in and confirm purchases with your fingerprint, face or PIN.' },
    card: { title: 'Add a card', body: 'Agents pay with it after you or your rules have said yes.' },
    limits: { title: 'Set limits', body: 'How much at most, per day and per payment.' },
    agent: { title: 'Connect an agent', body: 'The assistant that should be able to buy for you.' },
  },
} as const

export const setupTexts: Texts<typeof setupText> = {
  en: setupText,
  de: () => import('./setup-messages.de').then((german) => german.setupTextDe),
}

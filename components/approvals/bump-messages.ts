import type { Texts } from '@/components/i18n/texts'

export const bumpText = {
  title: 'Allow a payment once',
  lead: 'Refused for now: over your limits',
  allow: 'Allow once',
  decline: 'Decline',
  done: {
    approved: 'Allowed once. Waiting for the agent to try again.',
    declined: 'Declined. Nothing is charged.',
  },
  gone: 'This no longer waits for you.',
  back: 'All approvals',
  signedIn: 'You are signed in. Nothing is allowed yet: press Allow once to go on.',
} as const

export const bumpTexts: Texts<typeof bumpText> = {
  en: bumpText,
  de: () => import('./bump-messages.de').then((german) => german.bumpTextDe),
}

import type { Texts } from '@/components/i18n/texts'

/** What the browser says while somebody decides; the facts of a request are in words before they reach it. */
export const decisionText = {
  timeLeft: 'Time left',
  onExpiry: 'If you do nothing, it expires and nothing is charged.',
  onExpiryWallet: 'If you do nothing, it expires and the agent gets no access.',
  matchCode: 'Match code',
  matchHint: 'Your agent shows the same two digits. If it shows others, decline.',
  approve: (amount: string) => `Approve ${amount}`,
  allow: 'Allow access',
  withPasskey: 'with your passkey',
  decline: 'Decline',
  unexpected: 'You did not expect this?',
  anotherNow: {
    title: 'Nothing was decided',
    body: 'What you saw is not what is asked now: the request has changed, or it was answered elsewhere. Look at it again.',
  },
  switchedOff: {
    title: 'Approvals are switched off',
    body: 'Scan approvals are switched off by the operator. Nothing was decided, and nothing was charged.',
  },
} as const

export const decisionTexts: Texts<typeof decisionText> = {
  en: decisionText,
  de: () => import('./decision-messages.de').then((german) => german.decisionTextDe),
}

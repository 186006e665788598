import type { Texts } from '@/components/i18n/texts'

/** The texts that the browser shows during a decision; the facts of an approval are put into words on the server. */
export const decisionText = {
  decide: 'Decide',
  timeLeft: 'Time left',
  left: 'left',
  matchCode: 'Match code',
  matchHint: 'Your agent shows the same two digits. If not, decline.',
  approve: (amount: string) => `Approve ${amount}`,
  allow: 'Allow access',
  withPasskey: 'with your passkey',
  decline: 'Decline',
  unexpected: 'Did not expect this?',
  precautions: { pause: 'Pause this agent', revoke: 'Revoke this agent' },
  anotherNow: {
    title: 'Nothing was decided',
    body: 'The request has changed since you opened it, or it was answered elsewhere. Review it again.',
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

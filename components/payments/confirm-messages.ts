import type { Texts } from '@/components/i18n/texts'

export const confirmText = {
  title: (amount: string, payee: string) => `Confirm ${amount} to ${payee}`,
  back: 'All approvals',
  lead: 'Your bank wants you to confirm',
  card: 'Paid with',
  timeLeft: 'Time left',
  onExpiry: 'If you do nothing, it expires and nothing is charged.',
  decline: 'Decline',
  bank: {
    confirm: 'Confirm with your bank',
    hint: 'Your bank asks you in a window that Stripe opens. It may want a code, its app or your fingerprint.',
    refused: 'Your bank did not confirm the payment. You can try again or decline.',
    title: 'Not confirmed',
    unavailable: 'Stripe could not be loaded. Check your connection and whether something blocks js.stripe.com.',
    missing: 'The operator has not finished setting up the card processor, so this payment cannot be confirmed here.',
  },
  testBank: {
    title: 'Test bank',
    hint: 'In the sandbox no real bank asks. Answer in its place; no money moves.',
    confirm: 'Confirm',
    refuse: 'Refuse',
  },
  checking: {
    title: 'Waiting for your bank',
    body: 'Your bank has not told us the result yet. It shows here by itself, and you cannot be charged twice.',
  },
  confirmed: {
    title: 'Confirmed and paid',
    body: (payee: string, amount: string) => `${payee} has charged ${amount}.`,
    payment: 'See the payment',
  },
  failed: {
    title: 'Not paid',
    body: 'The payment did not succeed. If your card was charged all the same, the money is given back. Ask the agent to try again if you still want it.',
  },
} as const

export const confirmTexts: Texts<typeof confirmText> = {
  en: confirmText,
  de: () => import('./confirm-messages.de').then((german) => german.confirmTextDe),
}

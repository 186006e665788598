import type { Texts } from '@/components/i18n/texts'

export const magicLinkText = {
  title: 'Confirm',
  payment: { title: (amount: string) => `Pay ${amount}?`, by: 'Asked by' },
  wallet: { title: 'Let your agent use your wallet?' },
  whose: 'Wallet of',
  body: 'Your rules allow this; it has to be confirmed by mail. Continue only if you expect it.',
  submit: 'Yes, confirm',
  leave: 'If you do not want it, close this page: nothing happens without you.',
  gone: {
    title: 'This link does not work any more',
    body: 'It is unknown or older than 15 minutes. If you did not confirm it, your agent can ask again.',
    approvals: 'See your approvals',
  },
  used: {
    title: 'This link was used before',
    body: 'Each link confirms once. If it was not you, look at what your agents do and revoke the one that asked.',
    agents: 'Look at my agents',
  },
} as const

export const magicLinkTexts: Texts<typeof magicLinkText> = {
  en: magicLinkText,
  de: () => import('./messages.de').then((german) => german.magicLinkTextDe),
}

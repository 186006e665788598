import type { Texts } from '@/components/i18n/texts'

export const walletText = {
  choose: 'Use a wallet app',
  title: (amount: string) => `Approve ${amount} in your wallet app`,
  scan: 'Scan this with the wallet app that you added.',
  code: 'QR code for your wallet app',
  compare: 'It shows the shop, the amount and the items. Confirm only what you see here.',
  open: 'Open wallet app',
  timeLeft: 'Time left',
  waiting: 'Waiting for your wallet app',
  approved: 'Approved by your wallet app',
  again: 'Try again',
  expired: { title: 'The code has expired', body: 'Nothing was decided.' },
  changed: {
    title: 'Nothing was decided',
    body: 'The request has changed, or it was answered elsewhere. Close this and look at it again.',
  },
  refused: {
    title: 'Your wallet app did not approve it',
    body: 'It declined, or it presented something else than the credential that you added. Nothing was decided.',
  },
} as const

export const walletTexts: Texts<typeof walletText> = {
  en: walletText,
  de: () => import('./wallet-messages.de').then((german) => german.walletTextDe),
}

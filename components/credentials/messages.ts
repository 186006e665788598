import type { Texts } from '@/components/i18n/texts'

export const credentialsText = {
  title: 'Wallet credentials',
  description:
    'A wallet credential is a signed statement about you that a wallet app on your phone keeps and shows where you want it.',
  kinds: {
    service_mandate: {
      name: 'Service mandate',
      body: 'Says that services may buy for you. It allows no payment by itself.',
    },
    service_age_verified_buyer: {
      name: 'Age-verified buyer',
      body: 'Says which ages you have reached, and not when you were born.',
    },
  },
  issued: {
    title: 'In wallet apps',
    description: 'What was issued about you. A revoked credential ends wherever it is kept.',
    empty: { title: 'No credential yet', body: 'What a wallet app fetches about you appears here.' },
    at: 'Added',
    until: 'Expires',
    ended: 'Expired',
    revokedAt: 'Revoked',
    statuses: { active: 'Valid', expired: 'Expired', revoked: 'Revoked' },
  },
  revoke: {
    button: 'Revoke',
    name: (kind: string, date: string) => `Revoke ${kind} of ${date}`,
    title: (kind: string) => `Revoke “${kind}”?`,
    body: 'Verifiers refuse it within minutes. The wallet app may still show it. This cannot be taken back.',
    confirm: 'Revoke credential',
    done: (kind: string) => `“${kind}” was revoked.`,
  },
  add: {
    title: 'Add to a wallet app',
    description:
      'Your wallet app fetches a service mandate about you. It names you by a code that only this service can match to you. From then on the wallet app can approve purchases for you.',
    confirm: 'It says who you are, so you confirm with a passkey, or by having just signed in with a mailed link.',
    button: 'Add a credential',
  },
  offer: {
    title: 'Fetch it with your wallet app',
    once: 'This is shown once. Anyone who has both the link and the transaction code gets the credential.',
    scan: 'Scan this with your wallet app,',
    open: 'or open it on this device:',
    openHere: 'Open the wallet app on this device:',
    button: 'Open wallet app',
    qr: 'QR code that opens the offer in a wallet app',
    code: 'Transaction code',
    codeHint: 'The wallet app asks for it. After five wrong tries the offer ends.',
    expires: 'Works for another',
    statuses: {
      open: 'Waiting for your wallet app',
      taken: 'Your wallet app has accepted the offer and fetches the credential',
    },
    cancel: 'Cancel this offer',
    added: { title: 'Added', body: 'The credential is in your wallet app.', close: 'Close' },
    ended: { title: 'The offer has ended', body: 'No credential was added with it.' },
    expired: { title: 'The offer has expired', body: 'No credential was added with it.' },
    another: 'Start again',
  },
} as const

export const credentialsTexts: Texts<typeof credentialsText> = {
  en: credentialsText,
  de: () => import('./messages.de').then((german) => german.credentialsTextDe),
}

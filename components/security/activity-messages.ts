import type { Texts } from '@/components/i18n/texts'

export const securityActivityText = {
  title: 'Security activity',
  description:
    'Sign-ins of the last 30 days, and everything that you or others allowed: who can act for you, what agents may do, and each purchase that was approved.',
  empty: { title: 'Nothing happened yet', body: 'Sign-ins and changes of security appear here.' },
  list: 'What happened',
  older: 'Older',
  newest: 'Newest',
  whole: 'Audit entry',
  isNew: 'New device or way',
  ended: 'signed out',
  alive: 'still signed in',
  by: (agent: string) => `by ${agent}`,
  /** For the reader's own device. */
  here: (device: string) => `${device}, this session`,
  /** How something was confirmed, by the audit chain's word for it. */
  means: {
    passkey: 'confirmed with a passkey',
    wallet_presentation: 'confirmed with a credential in your wallet app',
    magic_link: 'by a mailed link',
    demo: 'in the demo session',
    token: 'through a connected app',
    callback: 'by an answer on your phone',
    setup_token: 'with a code for a new agent',
    processor: 'as the card before had expired',
    client_assertion: 'by the service that runs your wallet',
    operator: 'by the operator',
    presentation: 'with a wallet app',
  },
  revoke: {
    button: 'Revoke',
    of: (agent: string) => `Revoke ${agent}`,
    title: (agent: string) => `Revoke ${agent}?`,
    body: 'It can neither pay nor ask any more, and its access ends at once. That cannot be taken back.',
    confirm: 'Revoke agent',
  },
  remove: { button: 'Remove', of: (name: string) => `Remove the passkey ${name}` },
  /** Links to the page where the change can be undone. */
  open: {
    agent: 'Open the agent',
    limits: 'Open limits',
    merchants: 'Open merchants',
    cards: 'Open cards',
    notifications: 'Open notifications',
    privacy: 'Open privacy',
  },
  undo: {
    title: 'You can still undo this',
    description: 'The link in the mail about the change does the same.',
    what: {
      undo_email: (address: string) =>
        `Another e-mail address was requested. If you undo this, ${address} is used as before.`,
      undo_passkey: (name: string) => `The passkey “${name}” was added. If you undo this, it is removed.`,
    },
    until: 'until',
    onlyLink: (address: string) =>
      address === ''
        ? 'Only the link in the mail about it undoes this.'
        : `Only the link that was mailed to ${address} undoes this.`,
    button: 'Undo',
    of: { undo_email: 'Undo the other e-mail address', undo_passkey: (name: string) => `Undo the passkey ${name}` },
    ask: 'Undo this change?',
    consequences: {
      undo_email:
        'Passkeys, phones and recovery codes that were added since are removed, and everybody who signed in since is signed out, but for this session. Wallet apps are removed, too, if they were added since the session that made the change was opened.',
      undo_passkey:
        'Passkeys and recovery codes that were added since are removed, too, and what they signed in is signed out, but for this session. Wallet apps are removed, too, if they were added since the session that made the change was opened.',
    },
    how: {
      passkey: 'You confirm with a passkey that is older than the change.',
      session: 'You have just signed in with a mailed link, so that is enough.',
      sign_in: 'You confirm by signing in again with a mailed link.',
    },
    keep: 'Keep the change',
    done: 'The change was undone. We have mailed you about it.',
  },
} as const

export const securityActivityTexts: Texts<typeof securityActivityText> = {
  en: securityActivityText,
  de: () => import('./activity-messages.de').then((german) => german.securityActivityTextDe),
}

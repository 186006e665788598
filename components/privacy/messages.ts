import type { Texts } from '@/components/i18n/texts'

export const privacyText = {
  title: 'Privacy',
  description: 'Your rights over what is kept about you, and how to use them here.',
  here: 'You can do this here',
  operator: 'Ask the operator',
  access: {
    title: 'See your data',
    body: 'Everything that is kept about you is shown on these pages.',
    links: {
      payments: 'Payments',
      activity: 'Activity',
      agents: 'Agents',
      limits: 'Limits',
      merchants: 'Merchants',
      cards: 'Cards',
      notifications: 'Notifications',
      security: 'Passkeys and sessions',
    },
  },
  take: {
    title: 'Take it with you',
    body: 'Files that other programs can read: all payments as a table, all recorded activity with its hashes.',
    csv: 'Download payments (CSV)',
    json: 'Download activity (JSON)',
  },
  correct: {
    title: 'Correct it',
    body: 'Cards, limits, merchants, notifications and passkeys you change yourself on their pages. Your name and your e-mail address are kept by the operator; write to them when one is wrong.',
    name: 'Name',
    email: 'E-mail address',
    none: 'none',
  },
  restrict: {
    title: 'Restrict it',
    body: 'You can stop every agent yourself: freeze spending on the limits page, or revoke the agents. To restrict all processing while a question is open, write to the operator; from then on agents cannot get new permission.',
    limits: 'Freeze spending',
    agents: 'Revoke agents',
  },
  object: {
    title: 'Object to it',
    body: 'Your data is used to make the payments that you approve, and for nothing else; there is no advertising. Which messages reach you, you choose yourself. To object to anything else, write to the operator.',
    notifications: 'Choose notifications',
  },
  erase: {
    title: 'Have it erased',
    body: 'Write to the operator and say that you want your account erased. Revoke your agents and remove your cards first: both take effect at once. Until the operator has done it you can go on signing in.',
    agents: 'Revoke agents',
    cards: 'Remove cards',
  },
  how: {
    title: 'How to write to the operator',
    body: 'Use the contact of the service that gave you this address, and name this account ID. You never have to send card numbers, passkeys or sign-in links.',
    id: 'Account ID',
    address: 'Address of this service',
  },
  kept: {
    title: 'What is kept, and why',
    rows: {
      account: {
        what: 'E-mail address and name',
        why: 'To know you and to tell you what happens. Kept by this service alone.',
      },
      cards: {
        what: 'Brand, last four digits and expiry of your cards',
        why: 'So that you can tell them apart. The full number is kept by the card processor, never here.',
      },
      payments: {
        what: 'Payments, approvals and receipts',
        why: 'To show what was agreed, to settle disputes, and because accounts must be kept by law.',
      },
      audit: {
        what: 'Recorded activity (audit chain)',
        why: 'To prove that nothing was changed afterwards. It holds random ids, amounts and times, and no name, address or card number, so it stays when an account is erased.',
      },
      sessions: {
        what: 'Sessions and passkeys',
        why: 'To sign you in. A passkey leaves only its public key here; what unlocks it never leaves your device.',
      },
    },
  },
} as const

export const privacyTexts: Texts<typeof privacyText> = {
  en: privacyText,
  de: () => import('./messages.de').then((german) => german.privacyTextDe),
}

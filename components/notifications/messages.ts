import type { Texts } from '@/components/i18n/texts'

/** Kept on one line: a number that wraps is hard to read. */
const EXAMPLE = '+353\u00a086\u00a0123\u00a04567'

export const notificationsText = {
  notifications: {
    title: 'Notifications',
    description: 'How you hear of it when an agent asks you something or a payment is made.',
    channels: 'Tell me by',
    email: {
      label: 'E-mail',
      hint: (address: string) => `To ${address}`,
      noAddress: 'Your account has no e-mail address yet, so nothing can be mailed.',
    },
    rcs: { label: 'Phone message', hint: 'A chat message (RCS) to the number below.' },
    phone: 'Phone number',
    phoneHint: `With the country code, for instance ${EXAMPLE}.`,
    phoneMissing: 'Enter the number that phone messages should go to.',
    phoneBad: `Enter the number with a plus sign and the country code first, for instance ${EXAMPLE}.`,
    nobodyTold:
      'With every channel off, requests will expire silently: you only see them here in the portal, and what you do not see in time is over.',
    always: 'Mails to sign in and to confirm a purchase are always sent, whatever you choose here.',
    save: 'Save notifications',
    saved: 'Saved. It holds for every message from now on.',
    events: {
      title: 'What to tell',
      caption: 'What is told through which channel',
      column: 'About',
      channels: { email: 'E-mail', rcs: 'Phone' },
      name: (event: string, channel: string) => `${event}: ${channel}`,
      rows: {
        approvals: { label: 'Something waits for you', hint: 'Purchases, access and limit requests. Always on.' },
        security: { label: 'Security of your account', hint: 'Passkeys and sign-in. Always on.' },
        payments: { label: 'Payments', hint: 'A payment was made, failed or is given back.' },
        near_limit: { label: 'Daily limit nearly used', hint: 'At 80% and at 100%.' },
        disputes: { label: 'Disputes', hint: 'A dispute begins, or your bank has decided.' },
      },
      save: 'Save events',
      saved: 'Saved.',
    },
    test: {
      title: 'Try it',
      hint: 'Sends a message that asks nothing through every channel that is on and saved.',
      button: 'Send a test message',
      channels: { email: 'e-mail', rcs: 'phone message' },
      sent: (channels: string) => `On its way by ${channels}.`,
      nowhere: 'No channel is on that a message could take. Turn one on and save first.',
    },
  },
} as const

export const notificationsTexts: Texts<typeof notificationsText> = {
  en: notificationsText,
  de: () => import('./messages.de').then((german) => german.notificationsTextDe),
}

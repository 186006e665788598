/** Kept on one line: a number that wraps is hard to read. */
const EXAMPLE = '+353\u00a086\u00a0123\u00a04567'

export const settingsText = {
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
    nobodyTold: 'With both off, you only see requests here in the portal. What you do not see in time expires.',
    always: 'Mails to sign in and to confirm a purchase are always sent, whatever you choose here.',
    save: 'Save notifications',
    saved: 'Saved. It holds for every message from now on.',
  },
} as const

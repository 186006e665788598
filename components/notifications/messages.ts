import type { Texts } from '@/components/i18n/texts'

/** Kept on one line: a number that wraps is hard to read. */
const EXAMPLE = '+353\u00a086\u00a0123\u00a04567'

export const notificationsText = {
  notifications: {
    title: 'Notifications',
    description: 'How you hear of it when an agent asks you something or a payment is made.',
    on: 'On',
    off: 'Off',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    turnOnOf: (what: string) => `Turn on ${what}`,
    turnOffOf: (what: string) => `Turn off ${what}`,
    email: {
      label: 'E-mail',
      hint: (address: string) => `To ${address}`,
      noAddress: 'Your account has no e-mail address yet, so nothing can be mailed.',
    },
    rcs: {
      label: 'Phone message',
      hint: 'A chat message (RCS) to the number below.',
      to: (number: string) => `To ${number}`,
    },
    phone: 'Phone number',
    phoneHint: `With the country code, for instance ${EXAMPLE}. We send a code to a new number.`,
    phoneMissing: 'Enter the number that phone messages should go to.',
    phoneBad: `Enter the number with a plus sign and the country code first, for instance ${EXAMPLE}.`,
    nobodyTold:
      'With every channel off, requests will expire silently: you only see them here in the portal, and what you do not see in time is over.',
    always: 'Mails to sign in and to confirm a purchase are always sent, whatever you choose here.',
    useNumber: 'Use this number',
    removeNumber: 'Remove number',
    saved: 'Saved. It holds for every message from now on.',
    relax: {
      title: 'Change your notifications?',
      body: 'Messages are how you learn of what was not you, and a phone may allow payments above your limits. A new number is used once you have typed the code that we send to it.',
      nothing: 'No messages',
    },
    inUse: {
      title: 'In use now',
      email: (address: string) => `E-mail to ${address}`,
      phone: (number: string) => `Phone messages to ${number}`,
      devices: 'Messages on your devices',
      nothing: 'No channel. Requests show here in the portal only.',
      approvesFrom: (time: string) =>
        `For your safety, payments above a limit can be allowed from this phone from ${time} only.`,
    },
    code: {
      title: 'Confirm your phone',
      sent: (number: string) => `We sent a code to ${number}.`,
      needed: (number: string) => `${number} is not confirmed yet, and no code for it is valid. Send a new one.`,
      untilThen: 'Until you enter it, the number is not used; messages are mailed if you have an e-mail address.',
      untilThenPhone: (number: string) => `Until you enter it, messages still go to ${number}.`,
      label: 'Code',
      hint: 'Six digits, valid for 10 minutes.',
      malformed: 'Enter the six digits of the code.',
      wrong: 'This code is not correct. Each code has five tries.',
      over: 'This code is no longer valid. Send a new one.',
      submit: 'Confirm phone',
      resend: 'Send a new code',
      done: 'Your phone is confirmed. Messages go there from now on.',
      resent: 'A new code is on its way. Earlier ones no longer work.',
    },
    address: {
      title: 'E-mail address',
      inUse: (address: string) => `Messages and sign-in links go to ${address}.`,
      none: 'Your account has no e-mail address yet.',
      label: 'New e-mail address',
      hint: 'We mail a link there. Until you confirm it, nothing changes.',
      bad: 'Enter an e-mail address, for instance name@example.com.',
      same: 'This is the address that is in use.',
      submit: 'Change address',
      sent: 'We have mailed a link to the new address.',
      pending: (address: string, time: string) =>
        `${address} waits for you to confirm it with the link that we mailed there, until ${time}.`,
      cancel: 'Keep the address in use',
      confirm: {
        title: 'Change your e-mail address?',
        body: 'Sign-in links will go to the new address once it is confirmed. We tell the one in use at once, with a link that undoes the change for 72 hours.',
        nothing: 'No address',
      },
    },
    events: {
      title: 'What you are notified about',
      caption: 'Which event is sent through which channel',
      column: 'About',
      channels: { email: 'E-mail', rcs: 'Phone', push: 'Device' },
      name: (event: string, channel: string) => `${event}: ${channel}`,
      rows: {
        approvals: { label: 'Something waits for you', hint: 'Purchases, access and limit requests. Always on.' },
        security: {
          label: 'Security of your account',
          hint: 'Passkeys, addresses and what the operator changes. Always on.',
        },
        payments: { label: 'Payments', hint: 'A payment was made, failed or is given back.' },
        near_limit: { label: 'A limit is nearly used', hint: 'Of a day, week or month: at 80% and at 100%.' },
        disputes: { label: 'Disputes', hint: 'A dispute begins, or your bank has decided.' },
      },
      saved: 'Saved.',
      relax: {
        title: 'Turn off these messages?',
        to: 'No messages',
        body: 'Messages about payments and disputes are how you learn of payments that you did not want. We mail you that they were turned off.',
      },
    },
    test: {
      button: 'Send a test',
      of: (channel: string) => `Send a test: ${channel}`,
      accepted: {
        email: (to: string, time: string) => `Accepted by the mail server for ${to} at ${time}.`,
        rcs: (to: string, time: string) => `Accepted by the phone carrier for ${to} at ${time}.`,
      },
      failed: 'It was not accepted. We try again by ourselves.',
      nowhere: 'Nothing was sent: this channel is off or has no address.',
    },
  },
} as const

export const notificationsTexts: Texts<typeof notificationsText> = {
  en: notificationsText,
  de: () => import('./messages.de').then((german) => german.notificationsTextDe),
}

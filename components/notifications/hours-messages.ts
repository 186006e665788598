import type { Texts } from '@/components/i18n/texts'

export const hoursText = {
  on: 'On',
  off: 'Off',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnOnOf: (what: string) => `Turn on ${what}`,
  turnOffOf: (what: string) => `Turn off ${what}`,
  saved: 'Saved.',
  zone: (zone: string) => `In the time zone of your limits: ${zone}.`,
  changeZone: 'Change time zone',
  quiet: {
    title: 'Quiet hours',
    hint: 'Messages wait until they end. Messages about security always come.',
    from: 'From',
    until: 'To',
    requests: 'Requests still come through',
    requestsHint: 'When this is off, requests wait too, and those that have expired meanwhile are not sent.',
    same: 'Choose an end that differs from the beginning.',
    relax: {
      title: 'Change your quiet hours?',
      body: 'Messages wait until the hours end, and requests that wait too may have expired by then. We mail you that the hours were changed.',
      none: 'No quiet hours',
      through: (from: string, until: string) => `${from} to ${until}, requests come through`,
      held: (from: string, until: string) => `${from} to ${until}, requests wait too`,
    },
  },
  summary: {
    title: 'Daily summary',
    hint: 'A mail with what was paid, asked and declined. None is sent for a day without any.',
    hour: 'At',
    needsMail: 'It is mailed while e-mail is on.',
  },
  language: {
    title: 'Language of messages',
    hint: 'For mails, phone messages and messages on your devices. The portal has its own choice in the menu.',
  },
} as const

export const hoursTexts: Texts<typeof hoursText> = {
  en: hoursText,
  de: () => import('./hours-messages.de').then((german) => german.hoursTextDe),
}

import type { Texts } from '@/components/i18n/texts'

export const layoutText = {
  product: 'Countersign',
  tagline: 'You approve what your agents buy.',
  skip: 'Skip to content',
  sandbox: 'SANDBOX – no real money',
  nav: {
    label: 'Main',
    home: 'Home',
    approvals: 'Approvals',
    agents: 'Agents',
    limits: 'Limits',
    merchants: 'Merchants',
    payments: 'Payments',
    cards: 'Cards',
    activity: 'Activity',
    notifications: 'Notifications',
    security: 'Security',
    privacy: 'Privacy',
    developers: 'Developers',
    more: 'More',
  },
  waiting: (count: number) => `${count} waiting`,
  nothingWaiting: 'Nothing is waiting for you.',
  newlyWaiting: (count: number) =>
    count === 1 ? 'One request is waiting for you.' : `${count} requests are waiting for you.`,
  account: 'Account',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  goTo: 'Go to…',
  shortcuts: 'Keyboard shortcuts',
  controlKey: 'Ctrl',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  stale: 'What you see may be out of date. The connection was lost, and we keep trying to restore it.',
  switchedOff: {
    consent_scan: {
      title: 'Approvals are switched off',
      body: 'Scan approvals are switched off by the operator. Nothing was charged, and agents cannot ask for now.',
    },
    settlement: {
      title: 'Payments are switched off',
      body: 'Charging cards is switched off by the operator. What you approve now is not charged until it is back on.',
    },
    card_enrolment: {
      title: 'Adding cards is switched off',
      body: 'Adding cards is switched off by the operator. The cards that you have keep working.',
    },
  },
  error: {
    title: 'This did not work',
    page: 'This page could not be loaded. Nothing was changed and nothing was charged.',
    offline: 'We could not reach the server. Check your connection; nothing was changed.',
    unknown: 'Something went wrong on our side.',
    retry: 'Try again',
    requestId: 'Request ID',
    errorId: 'Error ID',
  },
  /** By the service's word for a refusal, where its own English words will not do. */
  refusals: {} as Readonly<Record<string, string>>,
  notFound: {
    title: 'There is nothing here',
    body: 'The address is wrong, or what it led to is over or is not yours. If you came from a link, ask your agent to try again.',
    home: 'Go to Home',
  },
} as const

export const layoutTexts: Texts<typeof layoutText> = {
  en: layoutText,
  de: () => import('./messages.de').then((german) => german.layoutTextDe),
}

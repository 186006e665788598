import type { Texts } from '@/components/i18n/texts'

export const layoutText = {
  noScript: 'This site needs JavaScript. Without it nothing here can be sent or decided.',
  tagline: 'You approve what your agents buy.',
  skip: 'Skip to content',
  freeze: 'Freeze spending',
  freezing: 'Freezing…',
  sandbox: { local: 'SANDBOX – no real money', public: 'PUBLIC SANDBOX – no real money' },
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
    credentials: 'Wallet credentials',
    privacy: 'Privacy',
    age: 'Age',
    developers: 'Developers',
    accessibility: 'Accessibility',
    more: 'More',
  },
  account: 'Account',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  goTo: 'Go to…',
  shortcuts: 'Keyboard shortcuts',
  controlKey: 'Ctrl',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  switchedOff: {
    consent_scan: {
      title: 'Approvals are switched off',
      body: 'Scan approvals are switched off by the operator. Nothing was charged, and agents cannot ask for now. You can still decline what waits.',
    },
    settlement: {
      title: 'Payments are switched off',
      body: 'Charging cards is switched off by the operator. What you approve is not charged until it is back on, and your agent may have to ask again.',
    },
    card_enrolment: {
      title: 'Adding cards is switched off',
      body: 'Adding cards is switched off by the operator. The cards that you have keep working.',
    },
  },
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

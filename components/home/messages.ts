import type { Texts } from '@/components/i18n/texts'

export const homeText = {
  title: 'Home',
  greeting: (name: string) => `Hello, ${name}`,
  waiting: 'Waiting for you',
  allWaiting: (count: number) => `All ${count} waiting`,
  nothingWaiting: {
    title: 'Nothing waiting',
    body: 'When an agent asks to pay, it shows here at once.',
    frozen: 'Spending is frozen, so no agent can ask.',
  },
  spend: 'Spent',
  noSpend: 'Nothing spent today.',
  held: (amount: string) => `${amount} of it is held for payments that are under way.`,
  payments: 'Last payments',
  allPayments: 'All payments',
  agents: (count: number, paused: number) => `Agents ${count}${paused === 0 ? '' : ` · ${paused} paused`}`,
  limits: 'Limits',
  description: 'What waits for you, what your agents spent, and what needs your attention.',
  alerts: {
    title: 'Needs your attention',
    dispute: {
      title: (amount: string, payee: string) => `The payment of ${amount} to ${payee} is disputed`,
      action: 'See how it stands',
      several: 'Several payments are disputed',
      all: 'See them',
    },
    cardExpiring: {
      title: (card: string, month: string) => `${card} expires at the end of ${month}`,
      body: 'Add the new one in time, so that agents can go on paying.',
    },
    cardExpired: { title: (card: string) => `${card} has expired`, body: 'Your bank may refuse it.' },
    cards: 'Go to cards',
  },
} as const

export const homeTexts: Texts<typeof homeText> = {
  en: homeText,
  de: () => import('./messages.de').then((german) => german.homeTextDe),
}

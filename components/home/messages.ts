import type { Texts } from '@/components/i18n/texts'

export const homeText = {
  title: 'Home',
  greeting: (name: string) => `Hello, ${name}`,
  waiting: 'Waiting for you',
  allWaiting: (count: number) => `All ${count} waiting`,
  nothingWaiting: { title: 'Nothing waiting', body: 'When an agent asks to pay, it shows here at once.' },
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
    },
    cardExpiring: {
      title: (card: string, month: string) => `${card} expires at the end of ${month}`,
      body: 'Add the new one in time, so that agents can go on paying.',
    },
    cardExpired: { title: (card: string) => `${card} has expired`, body: 'Agents can no longer pay with it.' },
    cards: 'Go to cards',
  },
  checklist: {
    title: 'Get started',
    body: 'Four steps until an agent can buy something for you.',
    done: 'Done',
    toDo: 'To do',
    card: { title: 'Add a card', body: 'Agents pay with it after you or your rules have said yes.', href: '/cards' },
    limits: { title: 'Set limits', body: 'How much at most, per day and per payment.', href: '/limits' },
    agent: {
      title: 'Connect an agent',
      body: 'Hand a code to the assistant that should be able to buy.',
      href: '/agents/new',
    },
    purchase: {
      title: 'Try a purchase',
      body: 'Ask your agent to buy something in a sandbox shop, and approve it here. No real money moves.',
      href: '/approvals',
    },
    purchaseLive: {
      title: 'First purchase',
      body: 'Ask your agent to buy something, and approve it here.',
      href: '/approvals',
    },
  },
} as const

export const homeTexts: Texts<typeof homeText> = {
  en: homeText,
  de: () => import('./messages.de').then((german) => german.homeTextDe),
}

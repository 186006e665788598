import type { Texts } from '@/components/i18n/texts'

export const welcomeText = {
  step: (number: number, name: string) => `Step ${number} of 4: ${name}`,
  names: { passkey: 'Passkey', card: 'Card', limits: 'Limits', agent: 'First agent' },
  leads: {
    passkey: 'It signs you in and confirms purchases with your fingerprint, face or PIN.',
    card: 'Agents pay with it after you or your rules have said yes.',
    limits: 'How much your agents may spend, all together; you can change this later.',
    agent: 'Connect the assistant that should be able to buy for you.',
  },
  done: {
    passkey: 'You have a passkey.',
    card: 'You have a card.',
    agent: 'Your agent is connected.',
  },
  back: 'Back',
  continue: 'Continue',
  notNow: 'Not now',
  limits: {
    none: 'Leave a field empty for no limit.',
    raises: 'This allows more than before. Press “Continue” again to confirm it.',
  },
  agent: {
    where: 'Where does your agent run?',
    other: 'Somewhere else',
    change: 'Choose another place',
  },
  ready: {
    title: 'You are ready.',
    next: 'What happens next',
    steps: [
      'Ask your agent to buy something.',
      'Its request waits for you under Approvals, with the shop and the amount, unless your rules let it through.',
      'What was charged is listed under Payments.',
    ],
    try: 'Try it with a sandbox purchase',
    say: 'Say this to your agent. No real money moves.',
    prompt: (shop: string, address: string) => `Buy the cheapest item from ${shop}: ${address}`,
    what: 'Words for your agent',
    shops: 'All sandbox shops',
    approvals: 'Go to approvals',
    home: 'Go to home',
  },
} as const

export const welcomeTexts: Texts<typeof welcomeText> = {
  en: welcomeText,
  de: () => import('./messages.de').then((german) => german.welcomeTextDe),
}

import type { Texts } from '@/components/i18n/texts'

export const cardsText = {
  title: 'Cards',
  description: 'What your agents’ purchases are charged to; the card processor keeps the card numbers.',
  empty: { title: 'No card yet', body: 'Add a card so that agents can pay for what you approve.' },
  noDefault: 'No card is the default. Agents without a card of their own cannot pay until you choose or add one.',
  default: 'Default',
  bound: 'Used by one agent only',
  expired: 'Expired',
  endsSoon: 'Expires soon',
  expires: 'Expires',
  makeDefault: 'Make default',
  makeDefaultName: (card: string) => `Make ${card} the default`,
  remove: 'Remove',
  removeName: (card: string) => `Remove ${card}`,
  removeTitle: (card: string) => `Remove ${card}?`,
  removeBody: 'Agents can no longer pay with it. Payments that are under way finish.',
  removeLast: 'It is your only card: agents cannot pay until you add another.',
  removeDefault: 'No other card takes its place: agents without a card of their own cannot pay until you choose one.',
  removeBound: 'The agent that it was for cannot pay until you choose another card for it.',
  removed: (card: string) => `${card} was removed.`,
  madeDefault: (card: string) => `${card} is now the default.`,
  add: {
    title: 'Add a card',
    safe: 'Your card number goes to Stripe and never to us.',
    open: 'Add a card',
    form: 'Card details',
    loading: 'Loading the card form',
    save: 'Save card',
    cancel: 'Cancel',
    checking: 'Checking the card with your bank',
    added: 'Card added.',
    /** By the status of the intent. */
    processing: 'Your bank is still checking the card. It shows here once the bank agrees.',
    notAdded: 'Your bank did not confirm the card, so it was not added.',
    failed: 'The card was not added',
    unavailable: 'Stripe could not be loaded. Check your connection and whether something blocks js.stripe.com.',
    home: 'Go to home',
    none: 'The operator of this service has not set up a card processor, so no card can be added yet.',
  },
  test: {
    title: 'Add a test card',
    description: 'These numbers work in the sandbox only. Each shows how a different kind of card behaves.',
    add: 'Add',
    addName: (label: string) => `Add test card: ${label}`,
    added: (label: string) => `Added: ${label}.`,
    cards: {
      success: { label: 'Success', behaviour: 'Every payment succeeds.' },
      decline: { label: 'Decline', behaviour: 'Every payment is declined.' },
      insufficient_funds: { label: 'Insufficient funds', behaviour: 'Every payment fails for lack of funds.' },
      authentication_required: {
        label: 'Authentication required',
        behaviour:
          'Every payment asks for the cardholder (3-D Secure), who has to answer it before anything is charged.',
      },
      timeout: { label: 'Timeout', behaviour: 'The payment is made, but the answer comes only later, by webhook.' },
      dispute: { label: 'Dispute', behaviour: 'Every payment succeeds and is disputed soon after.' },
    },
  },
} as const

export const cardsTexts: Texts<typeof cardsText> = {
  en: cardsText,
  de: () => import('./messages.de').then((german) => german.cardsTextDe),
}

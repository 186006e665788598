import type { Texts } from '@/components/i18n/texts'

export const consentText = {
  title: 'Approve a request',
  back: 'All approvals',
  payTo: 'to',
  verified: 'Verified merchant',
  unverified: 'Not verified',
  unverifiedHint: 'Nobody has checked who runs this shop. Compare its address with the one you expect.',
  punycode: (host: string) =>
    `This address holds letters from another alphabet (${host}). It may imitate a shop that you know. Decline if you are not sure.`,
  resembles: {
    title: (name: string, origin: string) => `This is not ${name} (${origin})`,
    body: 'The address looks much like theirs, but it belongs to somebody else. Decline if you meant to buy there.',
  },
  askedBy: 'Asked by',
  ownWords: 'Written by the agent',
  purpose: 'What the agent is for',
  purposeFrom: 'In the words of when it was connected',
  lastTime: {
    title: 'Different from last time',
    more: (amount: string) => `${amount} more than last time`,
    less: (amount: string) => `${amount} less than last time`,
    otherCurrency: 'Another currency than last time',
    otherAgent: 'Another agent bought last time:',
    added: (count: number) => (count === 1 ? '1 item is new' : `${count} items are new`),
    changed: (count: number) => (count === 1 ? '1 item has changed' : `${count} items have changed`),
    gone: (count: number) => (count === 1 ? '1 item is missing' : `${count} items are missing`),
    isNew: 'New',
    before: (what: string) => `Last time ${what}`,
  },
  newMerchant: 'New merchant for you',
  newAgent: 'New agent',
  items: 'Items',
  noPrice: 'No price given',
  addsUp: 'Adds up to the amount',
  notAddedUp: 'The items do not match the amount. You cannot approve this purchase.',
  unpriced: 'The agent gave no price for every item, so we could not check the sum.',
  card: 'Paid with',
  noCard: 'You have no card to pay with. Add one before you approve.',
  addCard: 'Add a card',
  effect: 'Your daily limit',
  leftToday: (amount: string) => `${amount} left today`,
  becomes: 'becomes',
  noCap: 'You have set no daily limit.',
  exceeded: {
    heading: (count: number) => `Over ${count} of your limits`,
    kind: {
      single_txn_cap: 'One payment',
      daily_cap: 'Today',
      weekly_cap: 'This week',
      monthly_cap: 'This month',
      velocity: 'Number of payments',
    },
    limit: {
      wallet: (value: string) => `limit ${value}`,
      agent: (value: string) => `limit of this agent ${value}`,
    },
    once: 'Approving allows this purchase once. Your limits stay.',
  },
  refusedCurrency: (limit: string, asked: string) =>
    `Your limits are in ${limit}, so a payment in ${asked} would be refused. Change your limits to allow it.`,
  changeLimits: 'Change limits',
  askAgain: {
    tell: 'Tell your agent:',
    purchase: (amount: string, payee: string) => `Please ask me again for ${amount} to ${payee}.`,
    access: 'Please ask me again for access to my wallet.',
    what: 'the sentence for your agent',
  },
  expired: { title: 'Ran out. Nothing was charged.', wallet: 'Ran out. The agent gets no access.' },
  withdrawn: {
    title: 'Withdrawn',
    body: 'Nothing was charged.',
    why: {
      frozen: 'Withdrawn: spending was frozen',
      paused: 'Withdrawn: the agent was paused',
      restricted: 'Withdrawn: you restricted processing',
      presented: 'Withdrawn: the agent stopped waiting',
    },
  },
  approved: {
    heading: 'Approved',
    waiting: 'Approved. Waiting for the shop to charge.',
    canCharge: (payee: string, amount: string) => `${payee} can now charge ${amount}. You can close this page.`,
    answerBank: 'Answer your bank',
    wallet: (agent: string) =>
      `${agent} now has this access. You can close this page, and revoke the agent at any time.`,
    progress: {
      in_progress: 'The card is being charged.',
      requires_action: 'Your bank wants you to confirm it. Nothing is charged until you do.',
      unknown: 'The bank has not told us the result yet. You cannot be charged twice.',
    },
  },
  already: { approved: 'Already approved', declined: 'Already declined' },
  paid: {
    heading: 'Paid',
    body: (payee: string, amount: string) => `${payee} has charged ${amount}.`,
    receipt: 'See the payment',
  },
  failed: { heading: 'Payment failed', body: 'The charge did not go through. Nothing was charged.' },
  unused: {
    heading: 'Approved, but never charged',
    body: (agent: string) => `${agent} did not finish the purchase in time. Nothing was charged.`,
  },
  declined: { heading: 'Declined. Nothing is charged.', wallet: 'Declined. The agent gets no access.' },
  wallet: {
    heading: 'Access to your wallet',
    may: 'It asks to',
    untilRevoked: 'Your answer is remembered for this agent until you revoke it.',
    warning:
      'An agent that may change your wallet can also approve purchases without you. Allow it only if you mean that.',
  },
  list: {
    title: 'Approvals',
    description: 'What your agents ask you for, and what you answered.',
    waiting: 'Waiting',
    decided: 'Decided',
    overLimits: (count: number) => (count === 1 ? 'over 1 limit' : `over ${count} limits`),
    emptyWaiting: {
      title: 'Nothing waiting',
      told: {
        email: 'Notifications: on, by e-mail.',
        rcs: 'Notifications: on, by phone message.',
        push: 'Notifications: on, on your devices.',
        both: 'Notifications: on, by e-mail and phone message.',
        several: 'Notifications: on, on your devices and by message.',
        nothing: 'Notifications: off. Requests run out unless you look here.',
      },
      change: 'Change notifications',
    },
    emptyDecided: {
      title: 'Nothing decided yet',
      body: 'What you approve, decline or let expire is listed here.',
      waiting: 'See what waits',
    },
    order: { label: 'Order', time: 'Time left', agent: 'Agent' },
    search: 'Search waiting requests',
    nothingFound: 'Nothing that waits has these words.',
    waitingCount: (count: number) => `${count} waiting`,
    declineAll: {
      button: (count: number) => (count === 1 ? 'Decline it' : `Decline all ${count}`),
      name: (count: number, agent: string) =>
        count === 1 ? `Decline it, from ${agent}` : `Decline all ${count} from ${agent}`,
      question: (count: number) => (count === 1 ? 'Decline this request?' : `Decline ${count} requests?`),
      confirm: (count: number) => (count === 1 ? 'Decline it' : `Decline ${count} requests`),
      keep: (count: number) => (count === 1 ? 'Keep it' : 'Keep them'),
    },
    refusedOverLimits: (count: number) => (count === 1 ? 'refused: over 1 limit' : `refused: over ${count} limits`),
    newer: 'Newer',
    older: 'Older',
    pages: 'Pages',
    access: 'Access to your wallet',
    left: 'left',
  },
  status: {
    pending: 'Waiting',
    approved: 'Approved',
    declined: 'Declined',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
  },
  /** Who decided, and how. */
  decided: {
    passkey: 'Approved with passkey',
    wallet_presentation: 'Approved with a wallet app',
    approved: 'Approved by you',
    approvedElsewhere: 'Approved through a connected app',
    declined: 'Declined by you',
    declinedElsewhere: 'Declined through a connected app',
    agent_revoked: 'Declined: the agent was revoked',
    expired: 'Ran out',
  },
} as const

/** What a permission means, in words. */
export const scopeText: Readonly<Record<string, { readonly title: string; readonly hint: string }>> = {
  'oid4ac:payment': { title: 'Ask to pay', hint: 'Asks for a purchase; you or your rules decide each one.' },
  'payment:execute': { title: 'Pay what was approved', hint: 'Completes a purchase after it was approved.' },
  'wallet:read': {
    title: 'See your wallet',
    hint: 'Sees your agents, limits, cards (last four digits) and open requests.',
  },
  'wallet:write': {
    title: 'Change your wallet',
    hint: 'Changes limits and cards, revokes agents, and approves or declines requests in your name.',
  },
  'audit:read': { title: 'See your payment history', hint: 'Reads your payments and the log of what happened.' },
  'privacy:dsar': {
    title: 'Use your privacy rights',
    hint: 'Exports, corrects or erases your personal data in your name.',
  },
}

export const consentTexts: Texts<typeof consentText> = {
  en: consentText,
  de: () => import('./messages.de').then((german) => german.consentTextDe),
}
export const scopeTexts: Texts<typeof scopeText> = {
  en: scopeText,
  de: () => import('./messages.de').then((german) => german.scopeTextDe),
}

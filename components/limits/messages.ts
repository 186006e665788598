import type { Texts } from '@/components/i18n/texts'

export const limitsText = {
  title: 'Limits',
  description: 'How much your agents may spend, and when you want to be asked.',
  now: 'Where you stand',
  none: {
    title: 'No limits yet',
    body: 'Without limits, an agent can spend any amount that you or your rule let through. Set at least a daily limit.',
  },
  meters: {
    today: 'Today',
    week: 'This week',
    month: 'This month',
    perPayment: 'One payment',
    count: 'Number of payments',
    used: (used: string, cap: string) => `${used} of ${cap}`,
    left: (left: string) => `${left} left.`,
    turnsAt: 'Turns at',
    midnightUtc: 'your time (midnight UTC).',
    turnsOn: 'Turns at',
    yourTime: 'your time.',
    upTo: (cap: string) => `Up to ${cap} each`,
    countUsed: (used: number, cap: number) => `${used} of ${cap}`,
    window: (text: string) => `In any ${text}.`,
    noLimit: 'No limit',
  },
  form: {
    title: 'Limits',
    otherCurrenciesRefused: 'Payments in other currencies are refused.',
    addCurrency: 'Add a currency',
    currency: 'Currency',
    currenciesInUse: 'In use',
    otherCurrencies: 'Others',
    daily: 'Most per day',
    weekly: 'Most per week',
    monthly: 'Most per month',
    timeZone: 'Time zone',
    single: 'Most per payment',
    count: 'Number of payments',
    window: 'Within',
    placeholder: 'No limit',
    suggest: 'Suggestion: €50 a day, €20 each, 5\u00a0payments per hour.',
    takeSuggestion: 'Use it',
    suggestHint: 'Fills in the form; nothing is saved yet.',
    save: 'Save limits',
    saved: 'Saved. Every payment from now on obeys these limits.',
    savedForAgent: 'Saved. Every payment of this agent from now on obeys these limits.',
    badAmount: (example: string) => `Enter an amount such as ${example}, or leave it empty.`,
    badCount: 'Enter a whole number from 0 to 1,000,000, or leave it empty.',
    tooMuch: 'This is more than a limit can be.',
  },
  asked: {
    show: 'Show them',
    list: 'Payments that you would have been asked about',
    above: 'Payments above these limits',
    payment: (amount: string, payee: string) => `${amount} to ${payee}`,
    underWay: (amount: string) => `${amount}, under way`,
    sentence: (asked: number, payments: number) =>
      payments === 1
        ? `With these limits you would ${asked === 1 ? 'have' : 'not have'} been asked about the 1 payment of the last 30 days.`
        : `With these limits you would have been asked about ${asked} of the ${payments} payments of the last 30 days.`,
    /** Under the rule to be asked about every purchase, limits decide nothing alone. */
    everyPurchase: (above: number, payments: number) =>
      `You are asked about every purchase. ${
        payments === 1
          ? `The 1 payment of the last 30 days was ${above === 1 ? '' : 'not '}above these limits.`
          : `${above} of the ${payments} payments of the last 30 days were above these limits.`
      }`,
    newMerchants: (sentence: string) => `${sentence} Besides, you are asked about the first purchase at a merchant.`,
    refused: (count: number) =>
      `${count === 1 ? '1 payment' : `${count} payments`} in another currency would have been refused.`,
  },
  raise: {
    title: 'Allow more than before?',
    body: 'With these limits agents can spend more. Compare before you confirm.',
    confirm: 'Confirm',
    how: 'You confirm with your passkey. If you have none, having signed in just now is enough.',
  },
  differences: {
    label: 'What changes',
    field: {
      currency: 'Currency',
      daily_cap: 'Most per day',
      weekly_cap: 'Most per week',
      monthly_cap: 'Most per month',
      single_txn_cap: 'Most per payment',
      velocity: 'Number of payments',
      time_zone: 'Time zone',
    },
    effect: { looser: 'Allows more', stricter: 'Allows less', other_currency: 'Other currency' },
    becomes: 'becomes',
    velocity: (count: number, window: string) => `${count === 1 ? '1 payment' : `${count} payments`} in ${window}`,
    refused: 'Refused',
    same: 'The limits stay as they are.',
  },
  undo: {
    lowered: 'Saved. Agents can spend less now.',
    action: 'Undo',
    undone: 'The limits are back as they were.',
    failed: 'This can no longer be undone.',
  },
  start: (day: string, each: string) => `You start with limits of ${day} a day and ${each} each.`,
  changes: {
    title: 'Changes',
    description: 'What was changed, when, and where from. The newest 50.',
    empty: 'Nothing was changed yet.',
    kind: {
      save: 'Limits saved',
      freeze: 'Spending frozen',
      restore: 'Limits restored',
      undo: 'Lowering undone',
      connect: 'Set when the agent was connected',
      start: 'Limits to start with',
    },
    via: { portal: 'In this portal', token: 'By an app with access to your wallet' },
  },
  windows: [
    { seconds: 600, label: '10 minutes' },
    { seconds: 3600, label: '1 hour' },
    { seconds: 86_400, label: '24 hours' },
    { seconds: 604_800, label: '7 days' },
  ],
  rule: {
    title: 'When to ask you',
    every_purchase: { label: 'Every purchase', hint: 'Nothing is paid without you.' },
    new_merchants: {
      label: 'New merchants',
      hint: 'The first time an agent buys somewhere, and above your limits.',
    },
    above_limits: { label: 'Only above my limits', hint: 'Agents pay on their own within your limits.' },
    saved: 'Saved.',
    noLimits: 'You have set no limits, so with this choice nothing would ever be asked.',
    less: { title: 'Be asked less often?', body: 'Agents pay more on their own with this choice.' },
  },
  gate: {
    label: 'Confirm by e-mail purchases that I am not asked about',
    hint: 'You get a mail, and confirm with one press.',
    forAll: 'This service mails everybody before an agent pays on its own.',
    off: {
      title: 'No longer confirm by mail?',
      body: 'What your rules allow is then paid at once, without a mail to you.',
      from: 'Confirmed by mail',
      to: 'Paid at once',
    },
  },
  bumps: { payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`) },
} as const

export const limitsTexts: Texts<typeof limitsText> = {
  en: limitsText,
  de: () => import('./messages.de').then((german) => german.limitsTextDe),
}

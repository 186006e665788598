import type { Texts } from '@/components/i18n/texts'

export const limitsText = {
  title: 'Limits',
  description: 'How much your agents may spend, and when you want to be asked.',
  now: 'Where you stand',
  none: {
    title: 'No limits yet',
    body: 'Without limits, only your approval stands between an agent and your card. Set at least a daily limit.',
  },
  meters: {
    today: 'Today',
    week: 'This week',
    month: 'This month',
    perPayment: 'One payment',
    count: 'Number of payments',
    used: (used: string, cap: string) => `${used} of ${cap} used`,
    left: (left: string) => `${left} left.`,
    turnsAt: 'Turns at',
    midnightUtc: 'your time (midnight UTC).',
    turnsOn: 'Turns on',
    yourTime: 'your time.',
    upTo: (cap: string) => `Up to ${cap} each`,
    countUsed: (used: number, cap: number) => `${used} of ${cap} used`,
    window: (text: string) => `In any ${text}. Each payment counts until it is that old.`,
    noLimit: 'No limit',
  },
  form: {
    title: 'Set your limits',
    description:
      'Leave a field empty for no limit. Money limits apply in one currency; payments in others are refused then.',
    currency: 'Currency',
    daily: 'Most per day',
    dailyHint: 'Counts from midnight UTC.',
    weekly: 'Most per week',
    weeklyHint: 'Counts from Monday 00:00 in your time zone.',
    monthly: 'Most per month',
    monthlyHint: 'Counts from the 1st 00:00 in your time zone.',
    timeZone: 'Time zone',
    timeZoneHint: 'Where weeks and months turn, those of your agents too.',
    single: 'Most per payment',
    count: 'Number of payments',
    countHint: 'Empty for no limit.',
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
    sentence: (asked: number, payments: number) =>
      payments === 1
        ? `With these limits you would ${asked === 1 ? 'have' : 'not have'} been asked about the 1 payment of the last 30 days.`
        : `With these limits you would have been asked about ${asked} of the ${payments} payments of the last 30 days.`,
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
  preview: {
    title: 'Try it',
    description: 'What would happen if an agent wanted to pay right now, by the limits that are saved.',
    amount: 'A purchase of',
    outcome: { allowed: 'Allowed', asked: 'Asked', refused: 'Refused' },
    sentence: (amount: string) => `A purchase of ${amount} would be`,
    agent: 'Agent',
    anyAgent: 'Any agent',
    merchant: 'Merchant',
    anyMerchant: 'Any merchant',
    reason: {
      restricted: 'You have restricted processing, so agents get no new permission.',
      agent_revoked: 'This agent is revoked.',
      agent_paused: 'This agent is paused.',
      merchant_not_allowed: 'Your rules do not allow this merchant.',
      merchant_unlisted: 'This merchant is not in the directory, and others cannot be paid here.',
      no_card: 'There is no card to pay with.',
      frozen: 'Spending is frozen.',
      every_purchase: 'You want to be asked about every purchase.',
      new_merchant: 'The agent has not bought there before, so you are asked first.',
      remembered: 'It is within the limits, and you have approved this agent there before.',
      within_limits_if_known: 'It is within the limits. At a merchant that is new to the agent you are asked first.',
      within_limits: 'It is within the limits.',
      approvals_off: 'You would have to be asked, but approvals are switched off by the operator.',
    },
    currency: {
      wallet: (currency: string) => `Your limits are in ${currency}, so payments in other currencies are refused.`,
      agent: (currency: string) =>
        `The limits of this agent are in ${currency}, so payments in other currencies are refused.`,
    },
    limit: {
      wallet: {
        single_txn_cap: (limit: string) => `One payment may be ${limit} at most. You are asked first.`,
        daily_cap: (limit: string, total: string) =>
          `It would bring today to ${total}, and your limit is ${limit}. You are asked first.`,
        weekly_cap: (limit: string, total: string) =>
          `It would bring this week to ${total}, and your limit is ${limit}. You are asked first.`,
        monthly_cap: (limit: string, total: string) =>
          `It would bring this month to ${total}, and your limit is ${limit}. You are asked first.`,
        velocity: (limit: string) => `It would be more than ${limit} for now. You are asked first.`,
      },
      agent: {
        single_txn_cap: (limit: string) => `One payment of this agent may be ${limit} at most. You are asked first.`,
        daily_cap: (limit: string, total: string) =>
          `It would bring this agent to ${total} today, and its limit is ${limit}. You are asked first.`,
        weekly_cap: (limit: string, total: string) =>
          `It would bring this agent to ${total} this week, and its limit is ${limit}. You are asked first.`,
        monthly_cap: (limit: string, total: string) =>
          `It would bring this agent to ${total} this month, and its limit is ${limit}. You are asked first.`,
        velocity: (limit: string) => `It would be more than ${limit} of this agent for now. You are asked first.`,
      },
    },
  },
  rule: {
    title: 'When to ask you',
    description: 'Whatever you choose, an agent can never spend more than your limits without asking.',
    every_purchase: { label: 'Every purchase', hint: 'Nothing is paid without you. Safest.' },
    new_merchants: {
      label: 'New merchants',
      hint: 'You are asked the first time an agent buys somewhere, and again above your limits.',
    },
    above_limits: { label: 'Only above my limits', hint: 'Agents pay on their own within your limits.' },
    saved: 'Saved.',
    noLimits: 'You have set no limits, so with this choice nothing would ever be asked.',
    less: { title: 'Be asked less often?', body: 'Agents pay more on their own with this choice.' },
  },
  gate: {
    label: 'Confirm by mail what I am not asked',
    hint: 'Before an agent pays on its own, you get a mail and confirm it with one press.',
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

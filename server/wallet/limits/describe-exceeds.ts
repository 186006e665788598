import { decimalAmount } from '../../base/core/money'
import type { Exceeded, Exceeds, LimitKind } from './rules'

const names: Readonly<Record<LimitKind, string>> = {
  single_txn_cap: 'One payment',
  daily_cap: 'Today',
  weekly_cap: 'This week',
  monthly_cap: 'This month',
  velocity: 'Number of payments',
}

/** What a decision about limits would lift, for messages: a heading, and a line for each limit. */
export function describeExceeds(exceeds: Exceeds, currency: string): string {
  const lines = exceeds.map((exceeded) => `- ${describeLimit(exceeded, currency)}`)
  return [
    `Over ${exceeds.length} of your limits:`,
    ...lines,
    'Approving allows this purchase once. Your limits stay.',
  ].join('\n')
}

function describeLimit({ kind, scope, current_minor, requested_minor }: Exceeded, currency: string): string {
  const value = (minor: number) =>
    kind === 'velocity' ? String(minor) : `${decimalAmount(minor, currency)} ${currency}`
  const whose = scope === 'agent' ? 'limit of this agent' : 'limit'
  return `${names[kind]}: ${value(requested_minor)}, ${whose} ${value(current_minor)}`
}

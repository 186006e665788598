import type { Words } from '../../shared/notifications'
import type { Exceeded, Exceeds } from './rules'

/** Describes for messages which limits an approval would lift: a heading, and a line for each limit. */
export function describeExceeds(exceeds: Exceeds, currency: string, words: Words): string {
  const { title, once } = words.requests.exceeded
  const lines = exceeds.map((exceeded) => describeLimit(exceeded, currency, words))
  return [title(exceeds.length), ...lines, once].join('\n')
}

function describeLimit(exceeded: Exceeded, currency: string, { requests, money }: Words): string {
  const { kind, scope, current_minor: current, requested_minor: requested } = exceeded
  const { line, agentLine, kinds } = requests.exceeded
  const value = (minor: number) => (kind === 'velocity' ? String(minor) : money(minor, currency))
  return (scope === 'agent' ? agentLine : line)(kinds[kind], value(requested), value(current))
}

'use client'

import { useSearchParams } from 'next/navigation'
import type { AgentSummary } from '@/components/lib/api-types'
import { goInAddress } from '@/components/lib/show-in-address'
import { currencyDigits } from '@/server/base/core/money'

export const agentOrders = ['used', 'name', 'spent', 'connected'] as const
export type AgentOrder = (typeof agentOrders)[number]

/**
 * Returns the order in which agents are listed, and its setter. The address holds it as `?sort=spent`, so that it can
 * be linked to.
 */
export function useAgentOrder(): readonly [AgentOrder, (order: AgentOrder) => void] {
  const wanted = useSearchParams().get('sort')
  return [
    agentOrders.find((order) => order === wanted) ?? 'used',
    (next) => goInAddress('sort', next === 'used' ? null : next),
  ]
}

/** Returns the agents in that order; equal ones stay as they are, newest first. */
export function inOrder(agents: readonly AgentSummary[], order: AgentOrder): AgentSummary[] {
  return agents.toSorted(comparisons[order])
}

const comparisons: Readonly<Record<AgentOrder, (one: AgentSummary, other: AgentSummary) => number>> = {
  used: (one, other) => at(other.last_used_at) - at(one.last_used_at),
  name: (one, other) => one.label.localeCompare(other.label),
  spent: (one, other) => mostOf(other) - mostOf(one),
  connected: (one, other) => at(other.created_at) - at(one.created_at),
}

const at = (instant: string | null): number => (instant === null ? 0 : Date.parse(instant))

/**
 * Returns the largest of the amounts that the agent spent this month; amounts in several currencies are never added up.
 */
const mostOf = ({ spent_this_month: spent }: AgentSummary): number =>
  Math.max(0, ...spent.map(({ currency, amount_minor: minor }) => minor / 10 ** (currencyDigits(currency) ?? 2)))

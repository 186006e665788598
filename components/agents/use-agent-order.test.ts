import { expect, test } from 'vitest'
import type { AgentSummary } from '@/components/lib/api-types'
import { agentState } from './agent-state'
import { inOrder } from './use-agent-order'

const agent = (label: string, more: Partial<AgentSummary>): AgentSummary => ({
  id: label,
  client_id: label,
  label,
  purpose: '',
  created_at: '2026-11-01T00:00:00.000Z',
  last_used_at: null,
  revoked: false,
  paused: false,
  scopes: [],
  spent_this_month: [],
  monthly_limit: null,
  ...more,
})

const agents = [
  agent('b', { last_used_at: '2026-11-03T00:00:00.000Z', spent_this_month: [{ currency: 'JPY', amount_minor: 90 }] }),
  agent('c', { created_at: '2026-11-02T00:00:00.000Z' }),
  agent('a', {
    last_used_at: '2026-11-04T00:00:00.000Z',
    spent_this_month: [{ currency: 'EUR', amount_minor: 1_460 }],
  }),
]

test.each([
  ['used', ['a', 'b', 'c']],
  ['name', ['a', 'b', 'c']],
  ['spent', ['b', 'a', 'c']],
  ['connected', ['c', 'b', 'a']],
] as const)('agents are ordered by what was chosen: %s', (order, labels) => {
  expect(inOrder(agents, order).map(({ label }) => label)).toEqual(labels)
})

test.each([
  ['active', { last_used_at: '2026-11-04T00:00:00.000Z' }],
  ['neverUsed', {}],
  ['paused', { paused: true }],
  ['revoked', { paused: true, revoked: true }],
] as const)('one word says how an agent stands: %s', (state, more) => {
  expect(agentState(agent('a', more))).toBe(state)
})

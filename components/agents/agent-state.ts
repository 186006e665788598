import type { AgentSummary } from '@/components/lib/api-types'

export type AgentState = 'active' | 'paused' | 'revoked' | 'neverUsed'
export type StateFacts = Pick<AgentSummary, 'revoked' | 'paused' | 'last_used_at'>

/** Returns the state of an agent. */
export function agentState({ revoked, paused, last_used_at: lastUsedAt }: StateFacts): AgentState {
  if (revoked) return 'revoked'
  if (paused) return 'paused'
  return lastUsedAt === null ? 'neverUsed' : 'active'
}

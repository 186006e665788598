import type { InputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import type { Queryable } from '../../base/core/platform'
import type { AgentRecord, readAgentEndpoint } from './contract'
import { type AgentRow, findAgentRow, listAgentRows, listEveryAgentRow } from './store'

/** GET /wallet/agents: the agents of the token's subject, revoked ones included, newest first. */
export async function listAgents({ platform, actor }: WalletCall) {
  return { agents: (await listAgentRows(platform.db, actor.principalId)).map(toRecord) }
}

/** Returns all of the person's agents, revoked ones included, oldest first. */
export async function listEveryAgent(db: Queryable, principalId: string): Promise<AgentRecord[]> {
  return (await listEveryAgentRow(db, principalId)).map(toRecord)
}

/** GET /wallet/agents/{client_id}. 404 for an unknown agent and for another person's. */
export async function readAgent({ platform, actor }: WalletCall, input: InputOf<typeof readAgentEndpoint>) {
  const row = await findAgentRow(platform.db, actor.principalId, input.client_id)
  if (row === null) throw buildUnknownAgentError()
  return toRecord(row)
}

function toRecord(row: AgentRow): AgentRecord {
  return {
    id: row.id,
    client_id: row.id,
    label: row.label,
    purpose: row.purpose ?? '',
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked: row.revoked_at !== null,
    paused: row.paused_at !== null,
    scopes: row.scope,
  }
}

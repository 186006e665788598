import type { WalletCall } from '../../../base/core/call'
import { thumbprintOf } from '../../../base/protocol/key-import'
import { findClient } from '../../../oauth/clients'
import { findAgentOperator } from '../../../wallet/enrolments'
import type { AgentOperator } from './view'

/**
 * Who operates an agent, as far as the federation proves it: every key that the agent authenticates with is one that a
 * verified operator publishes in its metadata. Nothing that the agent says of itself counts.
 */
export async function readOperator({ platform, now }: WalletCall, clientId: string): Promise<AgentOperator | null> {
  const client = await findClient(platform.db, clientId)
  const thumbprints = await Promise.all((client?.jwks ?? []).map((key) => thumbprintOf(key)))
  const operator = await findAgentOperator(platform.db, thumbprints, now)
  return operator === null ? null : { entity_id: operator.entityId, name: operator.name }
}

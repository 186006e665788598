import type { WalletCall } from '../../../base/core/call'
import { thumbprintOf } from '../../../base/protocol/key-import'
import { findClient } from '../../../oauth/clients'
import { findAgentOperator } from '../../../wallet/enrolments'
import type { AgentOperator } from './view'

/**
 * Returns the operator of an agent, as proven by the federation: each key of the agent is published in the metadata of
 * one verified operator. The agent's own claims do not count.
 */
export async function readOperator({ platform, now }: WalletCall, clientId: string): Promise<AgentOperator | null> {
  const client = await findClient(platform.db, clientId)
  const thumbprints = await Promise.all((client?.jwks ?? []).map((key) => thumbprintOf(key)))
  const operator = await findAgentOperator(platform.db, thumbprints, now)
  return operator === null ? null : { entity_id: operator.entityId, name: operator.name }
}

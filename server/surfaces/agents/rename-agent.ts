import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { lockAgent, updateGivenName } from '../../oauth/clients'
import { recordPersonAct } from '../../shared/audit'
import type { renameAgentProcedure } from './contract'
import { saveWithoutStepUp } from './save-without-step-up'

/**
 * Gives the agent a name of the person's choice; an empty one restores the name that it registered. No confirmation is
 * needed, since the agent may do no more than before. 404 for an agent that is unknown, revoked or another person's.
 */
export async function renameAgent(
  call: WalletCall,
  { client_id: clientId, name }: ProcedureInput<typeof renameAgentProcedure>,
): Promise<{ readonly client_id: string }> {
  const given = name === '' ? null : name
  await saveWithoutStepUp(call, async (tx, means) => {
    const agent = await lockAgent(tx, { principalId: call.actor.principalId, clientId })
    if (agent === null || agent.revoked_at !== null) throw buildUnknownAgentError()
    if (agent.given_name === given) return
    await updateGivenName(tx, clientId, given)
    // The names are personal data, which the audit chain never holds: its entries are not erased.
    const change = { what: 'agent_name', from: kindOf(agent.given_name), to: kindOf(given), means } as const
    const payload = { ...change, agent_client_id: clientId, passkey_id: null }
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
  await announceChange(call.platform, call.actor.principalId)
  return { client_id: clientId }
}

const kindOf = (given: string | null): 'own' | 'given' => (given === null ? 'own' : 'given')

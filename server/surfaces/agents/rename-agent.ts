import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { lockAgent, updateGivenName } from '../../oauth/clients'
import { recordPersonAct } from '../../shared/audit'
import type { renameAgentProcedure } from './contract'
import { saveWithoutStepUp } from './save-without-step-up'

/**
 * Gives the agent a name of the person's own, which stands in place of the one that it registered; an empty one gives it
 * back its own. It lets no agent do more, so that nobody has to confirm it. 404 for an unknown, foreign or revoked agent.
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
    // The names themselves are the person's and do not belong in a chain that is never emptied.
    const change = { what: 'agent_name', from: kindOf(agent.given_name), to: kindOf(given), means } as const
    const payload = { ...change, agent_client_id: clientId, passkey_id: null }
    await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  })
  return { client_id: clientId }
}

const kindOf = (given: string | null): 'own' | 'given' => (given === null ? 'own' : 'given')

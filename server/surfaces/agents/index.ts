import { operation } from '../../base/contract/endpoint'
import { revokeTokenEndpoint } from '../../oauth/tokens/contract'
import {
  freezeSpendingEndpoint,
  listAgentsEndpoint,
  pauseAgentEndpoint,
  readAgentEndpoint,
  resumeAgentEndpoint,
  revokeAgentEndpoint,
  unfreezeSpendingEndpoint,
} from './contract'
import { freezeSpending as freezeSpendingVerb, unfreezeSpending as unfreezeSpendingVerb } from './freeze-spending'
import { pauseAgent as pauseAgentVerb, resumeAgent as resumeAgentVerb } from './pause-agent'
import { listAgents as listAgentsVerb, readAgent as readAgentVerb } from './read-agents'
import { revokeAgent as revokeAgentVerb } from './revoke-agent'
import { revokeToken as revokeTokenVerb } from './revoke-token'

/** GET /wallet/agents. */
export const listAgents = operation(listAgentsEndpoint, listAgentsVerb)
/** GET /wallet/agents/{client_id}. 404 for an unknown agent and for another person's. */
export const readAgent = operation(readAgentEndpoint, readAgentVerb)
/** POST /wallet/agents/{client_id}/revoke. 404 for an unknown agent and for another person's. */
export const revokeAgent = operation(revokeAgentEndpoint, revokeAgentVerb)
/** POST /oauth/revoke. */
export const revokeToken = operation(revokeTokenEndpoint, revokeTokenVerb)
/** POST /wallet/agents/{client_id}/pause. 404 for an agent that is unknown, revoked or another person's. */
export const pauseAgent = operation(pauseAgentEndpoint, pauseAgentVerb)
/**
 * POST /wallet/agents/{client_id}/resume. 404 for an agent that is unknown, revoked or another person's; 403 without a
 * confirmation.
 */
export const resumeAgent = operation(resumeAgentEndpoint, resumeAgentVerb)
/** POST /wallet/freeze. */
export const freezeSpending = operation(freezeSpendingEndpoint, freezeSpendingVerb)
/** POST /wallet/unfreeze. 403 without a confirmation. */
export const unfreezeSpending = operation(unfreezeSpendingEndpoint, unfreezeSpendingVerb)

export { endAccess } from './end-access'
export { liftFreeze } from './freeze-spending'
export { listEveryAgent } from './read-agents'
export { renameAgent } from './rename-agent'

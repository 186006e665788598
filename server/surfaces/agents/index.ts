import { operation } from '../../base/contract/endpoint'
import { listAgentsEndpoint, readAgentEndpoint, revokeAgentEndpoint } from './contract'
import { listAgents as listAgentsVerb, readAgent as readAgentVerb } from './read-agents'
import { revokeAgent as revokeAgentVerb } from './revoke-agent'

/** GET /wallet/agents. */
export const listAgents = operation(listAgentsEndpoint, listAgentsVerb)
/** GET /wallet/agents/{client_id}. 404 unknown or another person's. */
export const readAgent = operation(readAgentEndpoint, readAgentVerb)
/** POST /wallet/agents/{client_id}/revoke. 404 unknown or another person's. */
export const revokeAgent = operation(revokeAgentEndpoint, revokeAgentVerb)

export { endAccess } from './end-access'
export { muteAgent, unmuteAgent } from './mute-agent'

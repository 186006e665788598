import { operation } from '../../base/contract/endpoint'
import { createSetupTokenEndpoint, readClientEndpoint, registerClientEndpoint } from './contract'
import { readRegistration, registerAgent } from './register-client'
import { createSetupTokenForClient } from './setup-token'

export const createSetupToken = operation(createSetupTokenEndpoint, createSetupTokenForClient)
export const registerClient = operation(registerClientEndpoint, registerAgent)
export const readClient = operation(readClientEndpoint, readRegistration)

export { authenticateClient, buildRevokedClientError, replayKeyOf, requireAdmission } from './authenticate-client'
export { eraseAgents } from './erase-agents'
export {
  cancelSetupToken,
  createPlannedSetupToken,
  mintSetupToken,
  readSetupToken,
  requireOpenToAgents,
} from './setup-token'
export { listOpenSetupTokens } from './setup-token-store'
export {
  type Admission,
  admitClient,
  agentsRevisionSql,
  consumeReplayKeysSql,
  findClient,
  forgetClients,
  insertReplayKeysSql,
  insertWalletClient,
  isActiveClient,
  lockAgent,
  notedTokenSql,
  noteLastTokensSql,
  revokeClient,
  sweepReplayKeys,
  updateGivenName,
  updatePausedAt,
} from './store'
export { readStoredClients } from './stored-data'

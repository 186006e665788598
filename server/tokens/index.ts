import { operation } from '../contract/endpoint'
import { issueTokenEndpoint } from './contract'
import { issueTokens } from './issue-token'

export const issueToken = operation(issueTokenEndpoint, issueTokens)

export { authenticateToken } from './authenticate-token'
export { openWalletSession } from './open-wallet-session'
export { type Revocation, revokeFamilies } from './revoke-family'

import { operation } from '../../base/contract/endpoint'
import { introspectTokenEndpoint, issueTokenEndpoint, revokeTokenEndpoint } from './contract'
import { introspect } from './introspect'
import { issueTokens } from './issue-token'
import { revoke } from './revoke'

export const issueToken = operation(issueTokenEndpoint, issueTokens)
export const introspectToken = operation(introspectTokenEndpoint, introspect)
export const revokeToken = operation(revokeTokenEndpoint, revoke)

export { authenticateToken } from './authenticate-token'
export { buildDpopChallengeError, buildUsedProofError } from './dpop-challenge'
export { eraseTokens } from './erase-tokens'
export { sealedReplies } from './idempotency'
export { openWalletSession } from './open-wallet-session'
export { sweepIdempotentReplies } from './reply-store'
export { revokeClientFamilies, revokeUnaskedFamilies } from './revoke-family'
export { isAnyFamilyRevokedSql, lastTokenSql, listWalletSessions, sweepTokenFamilies } from './store'
export { readStoredFamilies } from './stored-data'
export { verifyToken, verifyTokenProof } from './verify-token'

import { operation } from '../../base/contract/endpoint'
import { introspectTokenEndpoint, issueTokenEndpoint } from './contract'
import { introspect } from './introspect'
import { issueTokens } from './issue-token'

export const issueToken = operation(issueTokenEndpoint, issueTokens)
export const introspectToken = operation(introspectTokenEndpoint, introspect)

export { authenticateToken } from './authenticate-token'
export { buildDpopChallengeError, buildUsedProofError } from './dpop-challenge'
export { eraseTokens } from './erase-tokens'
export { sealedReplies } from './idempotency'
export { openWalletSession } from './open-wallet-session'
export { sweepIdempotentReplies } from './reply-store'
export { revokeClientFamilies, revokeUnaskedFamilies } from './revoke-family'
export { revokeFamilyOf } from './revoke-family-of'
export { isAnyFamilyRevokedSql, lastTokenSql, listWalletSessions, sweepTokenFamilies } from './store'
export { readStoredFamilies } from './stored-data'
export { verifyToken, verifyTokenProof } from './verify-token'

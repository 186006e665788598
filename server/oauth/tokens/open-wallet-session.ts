import { walletScopes } from '../../base/contract/scopes'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { Platform, Queryable, Transaction } from '../../base/core/platform'
import type { PublicJwk } from '../../base/protocol/jwk'
import { thumbprintOf } from '../../base/protocol/key-import'
import { buildUnknownPrincipalError, lockIfActive, requireActivePrincipal } from '../../shared/principals'
import { mintAccessToken } from './mint-access-token'
import { insertWalletFamily } from './store'

interface SessionToOpen {
  readonly principalId: string
  readonly scope: readonly string[]
  readonly jwk: PublicJwk
  readonly now: Date
}

/**
 * Issues a wallet-session access token in the sandbox at the operator's request, as if the person had just confirmed it
 * with a passkey. It gets its own token family. `record` writes the audit entry, last in the transaction.
 */
export async function openWalletSession(
  platform: Platform,
  { principalId, scope, jwk, now }: SessionToOpen,
  record?: (tx: Transaction, opened: { readonly familyId: string; readonly tenantId: string }) => Promise<void>,
) {
  const { tenant_id: tenantId } = await requireServedPrincipal(platform.db, principalId)
  if (scope.length === 0 || !scope.every((name) => walletScopes.has(name))) {
    throw new ServiceError('invalid_scope', 'scope must name wallet scopes only.')
  }
  const familyId = platform.random.uuid()
  const jkt = await thumbprintOf(jwk)
  const familyExpiresAt = new Date(now.getTime() + platform.config.accessTokenTtlSeconds * 1000)
  const resources = [platform.config.baseUrl]
  const family = { id: familyId, principalId, tenantId, jkt, scope, resources, now, expiresAt: familyExpiresAt }
  await platform.db.transaction(async (tx) => {
    if (!(await lockIfActive(tx, principalId))) throw buildUnknownPrincipalError()
    await requireServedPrincipal(tx, principalId)
    await insertWalletFamily(tx, family)
    await record?.(tx, { familyId, tenantId })
  })
  const subject = {
    familyId,
    clientId: tenantId,
    principalId,
    jkt,
    acr: 'phr' as const,
    authTime: now,
    mandateId: null,
    familyExpiresAt,
    now,
  }
  return mintAccessToken(platform, subject, { scope, resources, details: [] })
}

/** Throws 404 for a person who is unknown or erased, 400 access_denied for one who has restricted processing. */
async function requireServedPrincipal(db: Queryable, principalId: string) {
  const principal = await requireActivePrincipal(db, principalId)
  if (principal.processing_restricted) throw buildBarredError()
  return principal
}

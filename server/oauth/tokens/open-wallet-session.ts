import { walletScopes } from '../../base/contract/scopes'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { PublicJwk } from '../../base/protocol/jwk'
import { thumbprintOf } from '../../base/protocol/key-import'
import { requirePrincipal } from '../../shared/principals'
import { mintAccessToken } from './mint-access-token'

interface SessionOrder {
  readonly principalId: string
  readonly scope: readonly string[]
  readonly jwk: PublicJwk
  readonly now: Date
}

/** A wallet-session access token for a person who has been authenticated by other means; it lives in a family of its own. */
export async function openWalletSession(platform: Platform, { principalId, scope, jwk, now }: SessionOrder) {
  const principal = await requirePrincipal(platform.db, principalId)
  if (principal.erased || principal.processing_restricted) {
    throw new ServiceError('access_denied', 'The principal gets no tokens.')
  }
  if (scope.length === 0 || !scope.every((name) => walletScopes.has(name))) {
    throw new ServiceError('invalid_scope', 'scope must name wallet scopes only.')
  }
  const familyId = platform.random.uuid()
  const jkt = await thumbprintOf(jwk)
  const familyExpiresAt = new Date(now.getTime() + platform.config.accessTokenTtlSeconds * 1000)
  const resources = [platform.config.baseUrl]
  await platform.db.query(
    sql`INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 auth_time, created_at, expires_at)
     VALUES (${familyId}, ${principal.tenant_id}, ${principalId}, ${principal.tenant_id}, 'wallet', ${jkt}, ${JSON.stringify(scope)}::jsonb, ${JSON.stringify(resources)}::jsonb, '[]', ${now}, ${now}, ${familyExpiresAt})`,
  )
  const subject = {
    familyId,
    clientId: principal.tenant_id,
    principalId,
    jkt,
    authTime: now,
    mandateId: null,
    familyExpiresAt,
    now,
  }
  return mintAccessToken(platform, subject, { scope, resources, details: [] })
}

import { walletScopes } from '../contract/scopes'
import { ServiceError } from '../core/errors'
import type { Platform } from '../core/platform'
import { requirePrincipal } from '../principals'
import { type PublicJwk, thumbprint } from '../protocol/jwk'
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
  const jkt = thumbprint(jwk)
  const familyExpiresAt = new Date(now.getTime() + platform.config.accessTokenTtlSeconds * 1000)
  const resources = [platform.config.baseUrl]
  await platform.db.query(
    `INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 auth_time, created_at, expires_at)
     VALUES ($1, $2, $3, $2, 'wallet', $4, $5::jsonb, $6::jsonb, '[]', $7, $7, $8)`,
    [
      familyId,
      principal.tenant_id,
      principalId,
      jkt,
      JSON.stringify(scope),
      JSON.stringify(resources),
      now,
      familyExpiresAt,
    ],
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

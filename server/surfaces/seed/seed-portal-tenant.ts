import type { Platform } from '../../base/core/platform'
import { insertWalletClient } from '../../oauth/clients'
import { PORTAL_TENANT_ID } from '../../shared/principals'

/**
 * Creates the portal's own tenant unless it exists. It has no keys, since the portal acts inside the service: this
 * client cannot authenticate.
 */
export async function seedPortalTenant(platform: Platform): Promise<void> {
  const client = {
    id: PORTAL_TENANT_ID,
    kind: 'wallet',
    tenantId: PORTAL_TENANT_ID,
    principalId: null,
    name: 'Wallet portal',
    purpose: null,
    redirectUris: [],
    grantTypes: [],
    scope: ['audit:read'],
    jwks: [],
  } as const
  const metadata = { client_name: client.name, scope: client.scope.join(' ') }
  await insertWalletClient(platform.db, {
    client,
    metadata,
    now: platform.clock.now(),
  })
}

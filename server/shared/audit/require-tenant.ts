import type { ClientCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'

/** Only the tenant itself reads its chain, and only with the scope for it. Returns its id. */
export function requireTenant(
  { actor }: ClientCall,
  { tenant_id: tenantId, client_id: clientId }: { readonly tenant_id: string; readonly client_id: string },
): string {
  if (clientId !== tenantId || actor.client.id !== tenantId) {
    throw new ServiceError('principal_mismatch', 'A tenant may read its own audit chain only.')
  }
  if (!actor.client.scope.includes('audit:read')) {
    throw new ServiceError('insufficient_scope', 'The scope audit:read is required.')
  }
  return tenantId
}

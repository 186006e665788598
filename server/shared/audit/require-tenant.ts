import type { ClientCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'

/** Throws unless the caller is the tenant itself, with the scope for its chain. Returns the tenant's id. */
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

import type { ClientCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { type AuditRecord, recordAudits } from '../../shared/audit'
import type { MerchantPolicy } from './contract'

interface PolicyChange {
  readonly clientId: string | null
  readonly before: MerchantPolicy
  readonly after: MerchantPolicy
}

/**
 * Records a tenant's change of its rules about a merchant in the audit chain. Call it last in the transaction, as
 * `recordAudit`.
 */
export function recordTenantRules(
  tx: Transaction,
  { actor, now }: ClientCall,
  { clientId, before, after }: PolicyChange,
): Promise<void> {
  const rule = { what: 'merchant_rule', from: verdictOf(before, clientId), to: verdictOf(after, clientId) } as const
  const gate = { what: 'merchant_gate', from: before.allow_list_required, to: after.allow_list_required } as const
  const records = [rule, gate].flatMap(({ what, from, to }): AuditRecord[] => {
    if (from === to) return []
    const payload = {
      what,
      from,
      to,
      means: 'client_assertion',
      agent_client_id: what === 'merchant_rule' ? clientId : null,
      merchant_audience: after.merchant_audience,
    } as const
    const by = { kind: 'wallet_client', id: actor.client.id } as const
    return [{ tenantId: actor.client.id, principalId: null, event: 'oid4ac.policy.changed', actor: by, payload, now }]
  })
  return recordAudits(tx, records)
}

function verdictOf({ allow, deny }: PolicyChange['before'], clientId: string | null): 'allow' | 'deny' | null {
  if (clientId === null) return null
  if (deny.includes(clientId)) return 'deny'
  return allow.includes(clientId) ? 'allow' : null
}

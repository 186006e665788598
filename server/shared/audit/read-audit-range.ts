import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { checkpointTenant } from './checkpoint'
import { AUDIT_RANGE_MAX_ENTRIES, type readAuditRangeEndpoint } from './contract'
import { findHead, listEntries } from './store'

type Range = typeof readAuditRangeEndpoint

/** A run of the caller's own chain: at most 1,000 entries, with a signed checkpoint that covers its head. */
export async function readAuditRange(call: ClientCall, input: InputOf<Range>): Promise<OutputOf<Range>> {
  const { platform } = call
  const tenantId = checkReader(call, input)
  const head = await findHead(platform.db, tenantId)
  const fromSeq = input.from_seq ?? 1
  const lastSeq = Math.min(
    input.to_seq ?? Number.MAX_SAFE_INTEGER,
    head?.seq ?? 0,
    fromSeq + AUDIT_RANGE_MAX_ENTRIES - 1,
  )
  const entries = lastSeq < fromSeq ? [] : await listEntries(platform.db, tenantId, { fromSeq, toSeq: lastSeq })
  return {
    tenant_id: tenantId,
    from_seq: fromSeq,
    to_seq: entries.at(-1)?.seq ?? fromSeq - 1,
    entries: entries.map((entry) => ({ ...entry, payload: { ...entry.payload } })),
    checkpoint: await checkpointTenant(platform, tenantId),
  }
}

/** Only the tenant itself reads its chain, and only with the scope for it. */
function checkReader({ actor }: ClientCall, input: InputOf<Range>): string {
  const { tenant_id: tenantId, client_id: clientId } = input
  if (clientId !== tenantId || actor.client.id !== tenantId) {
    throw new ServiceError('principal_mismatch', 'A tenant may read its own audit chain only.')
  }
  if (!actor.client.scope.includes('audit:read')) {
    throw new ServiceError('insufficient_scope', 'The scope audit:read is required.')
  }
  return tenantId
}

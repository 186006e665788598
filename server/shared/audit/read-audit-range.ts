import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import { ValidationError } from '../../base/core/errors'
import { checkpointTenant } from './checkpoint-tenant'
import { AUDIT_RANGE_MAX_ENTRIES, type readAuditRangeEndpoint } from './contract'
import { requireTenant } from './require-tenant'
import { findHead, listEntries } from './store'

type Range = typeof readAuditRangeEndpoint

/**
 * A run of the caller's own chain: at most 1,000 entries, with a signed checkpoint of its end. The checkpoint is made
 * first, so that an answer which reaches the end of the chain holds the entry that it vouches for.
 */
export async function readAuditRange(call: ClientCall, input: InputOf<Range>): Promise<OutputOf<Range>> {
  const { platform } = call
  const tenantId = requireTenant(call, input)
  checkBounds(input)
  const checkpoint = await checkpointTenant(platform, tenantId)
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
    checkpoint: checkpoint?.jws ?? null,
  }
}

function checkBounds({ from_seq: from, to_seq: to }: InputOf<Range>): void {
  if (from === undefined || to === undefined || from <= to) return
  throw new ValidationError([
    { loc: ['query', 'from_seq'], msg: 'must not be greater than to_seq', type: 'value_error', input: from },
  ])
}

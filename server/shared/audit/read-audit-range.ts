import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import { buildFieldError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import type { AuditEntry } from './chain'
import { checkpointEntry } from './checkpoint-entry'
import type { StoredCheckpoint } from './checkpoint-store'
import { checkpointTenant } from './checkpoint-tenant'
import { AUDIT_RANGE_MAX_ENTRIES, type readAuditRangeEndpoint } from './contract'
import { requireTenant } from './require-tenant'
import { findHead, listEntries } from './store'

type Range = typeof readAuditRangeEndpoint

/**
 * Returns a run of the caller's own chain: at most 1,000 entries, with a signed checkpoint of the last of them. The
 * checkpoint of the chain's end is made first, so that a response that reaches the end contains the entry that it
 * covers. It is also returned where an earlier entry cannot be signed, and where the chain ends before it: so a
 * truncated chain is noticed.
 */
export async function readAuditRange(call: ClientCall, input: InputOf<Range>): Promise<OutputOf<Range>> {
  const { platform } = call
  const tenantId = requireTenant(call, input)
  requireOrderedBounds(input)
  const newest = await checkpointTenant(platform, tenantId)
  const head = await findHead(platform.db, tenantId)
  const fromSeq = input.from_seq ?? 1
  const headSeq = head?.seq ?? 0
  const lastSeq = Math.min(input.to_seq ?? Number.MAX_SAFE_INTEGER, headSeq, fromSeq + AUDIT_RANGE_MAX_ENTRIES - 1)
  const entries = lastSeq < fromSeq ? [] : await listEntries(platform.db, tenantId, { fromSeq, toSeq: lastSeq })
  const last = entries.find(({ seq }) => seq === lastSeq)
  const checkpoint = lastSeq < headSeq ? await checkpointBefore(platform, newest, last) : newest
  return {
    tenant_id: tenantId,
    from_seq: fromSeq,
    to_seq: entries.at(-1)?.seq ?? fromSeq - 1,
    entries: entries.map((entry) => ({ ...entry, payload: { ...entry.payload } })),
    checkpoint: checkpoint?.jws ?? null,
  }
}

/** Returns the checkpoint of the last entry of a response that ends before the chain does. */
async function checkpointBefore(
  platform: Platform,
  newest: StoredCheckpoint | null,
  last: AuditEntry | undefined,
): Promise<{ readonly jws: string } | null> {
  if (newest === null || last === undefined || last.seq >= newest.seq) return newest
  return (await checkpointEntry(platform, last, newest)) ?? newest
}

function requireOrderedBounds({ from_seq: from, to_seq: to }: InputOf<Range>): void {
  if (from === undefined || to === undefined || from <= to) return
  throw buildFieldError(['query', 'from_seq'], 'must not be greater than to_seq', from)
}

import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ClientCall, WalletCall } from '../../base/core/call'
import { buildFieldError, ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import type { AuditEntry } from './chain'
import { checkpointTenant } from './checkpoint-tenant'
import type {
  proveAuditConsistencyEndpoint,
  proveAuditEntryEndpoint,
  proveOwnEntryEndpoint,
  readAuditCheckpointEndpoint,
} from './contract'
import { proveConsistency, proveInclusion } from './prove-inclusion'
import { requireTenant } from './require-tenant'
import { findHead, findPrincipalEntry, listEntriesAt } from './store'

type Checkpoint = typeof readAuditCheckpointEndpoint
type Inclusion = typeof proveAuditEntryEndpoint
type Consistency = typeof proveAuditConsistencyEndpoint
type OwnEntry = typeof proveOwnEntryEndpoint

/** Returns the signed end of the caller's own chain, signed now if entries were appended since the last checkpoint. */
export async function readAuditCheckpoint(call: ClientCall, input: InputOf<Checkpoint>): Promise<OutputOf<Checkpoint>> {
  const tenantId = requireTenant(call, input)
  const checkpoint = await checkpointTenant(call.platform, tenantId)
  return { tenant_id: tenantId, checkpoint: checkpoint?.jws ?? null, note: checkpoint?.note ?? null }
}

/** Proves one entry of the caller's own chain. */
export async function proveAuditEntry(call: ClientCall, input: InputOf<Inclusion>): Promise<OutputOf<Inclusion>> {
  const tenantId = requireTenant(call, input)
  const [entry] = await listEntriesAt(call.platform.db, tenantId, [input.seq])
  return proveEntry(call.platform, entry)
}

/** Proves an entry about the caller; 404 for entries about others. */
export async function proveOwnEntry({ platform, actor }: WalletCall, { seq }: InputOf<OwnEntry>) {
  return proveEntry(platform, await findPrincipalEntry(platform.db, actor, seq))
}

async function proveEntry(platform: Platform, entry: AuditEntry | undefined): Promise<OutputOf<Inclusion>> {
  if (entry === undefined) throw new ServiceError('not_found', 'There is no such entry.')
  const { tenant_id, seq, entry_hash } = entry
  const proof = await proveInclusion(platform, { tenantId: tenant_id, seq })
  if (proof === null) throw notWhatWasSigned()
  const { leaf_index, tree_size, hashes, checkpoint } = proof
  return {
    tenant_id,
    seq,
    entry_hash,
    leaf_index,
    tree_size,
    hashes: [...hashes],
    checkpoint: checkpoint.jws,
    note: checkpoint.note,
  }
}

/** Proves that between two sizes entries were only appended to the caller's chain. */
export async function proveAuditConsistency(
  call: ClientCall,
  input: InputOf<Consistency>,
): Promise<OutputOf<Consistency>> {
  const { platform } = call
  const tenantId = requireTenant(call, input)
  const { from_size: from, to_size: to } = input
  if (from > to) throw buildFieldError(['query', 'from_size'], 'must not be greater than to_size', from)
  const head = await findHead(platform.db, tenantId)
  if (head === null || head.seq < to) throw new ServiceError('not_found', 'The chain has fewer entries.')
  const proof = await proveConsistency(platform, { tenantId, from, to })
  if (proof === null) throw notWhatWasSigned()
  return { tenant_id: tenantId, from_size: from, to_size: to, hashes: [...proof.hashes] }
}

const notWhatWasSigned = () =>
  new ServiceError('conflict', 'The chain does not match its signed checkpoint. Check it with audit:verify.')

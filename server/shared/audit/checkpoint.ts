import type { Platform } from '../../base/core/platform'
import { epochSeconds } from '../../base/protocol/claims'
import { ProtocolError } from '../../base/protocol/errors'
import { type DocumentVerification, signDocument, verifyDocument } from '../../base/protocol/jws'
import { CHAIN_START, type ChainPosition, verifyChain } from './chain'
import { findHead, findLatestCheckpoint, insertCheckpoint, listEntries, listTenantsToCheckpoint } from './store'

const CHECKPOINT_TYPE = 'audit-checkpoint+jwt'
/** Entries that are read and re-hashed at a time before a position is signed. */
const VERIFY_PAGE_ENTRIES = 1_000

/** What a checkpoint states: at `iat`, the chain of `tenant_id` ended with entry `seq`, whose hash covers all before it. */
export interface CheckpointClaims {
  readonly iss: string
  readonly tenant_id: string
  readonly seq: number
  readonly entry_hash: string
  readonly iat: number
}

/** Reads a checkpoint and checks its type and signature; throws a ProtocolError when it is not one of ours. */
export async function readCheckpoint(jws: string, findKey: DocumentVerification['findKey']): Promise<CheckpointClaims> {
  const { payload } = await verifyDocument(jws, { name: 'checkpoint', typ: CHECKPOINT_TYPE, findKey })
  const { iss, tenant_id, seq, entry_hash, iat } = payload
  if (typeof iss !== 'string' || typeof tenant_id !== 'string' || typeof entry_hash !== 'string') {
    throw new ProtocolError('malformed', 'The checkpoint lacks a claim')
  }
  return { iss, tenant_id, seq: Number(seq), entry_hash, iat: Number(iat) }
}

/**
 * A signed checkpoint of the tenant's chain as it stands, made now unless there is one; null while there are no entries.
 * Whatever was appended since the last checkpoint is read back and re-hashed first: a chain that was tampered with is
 * never signed, and the last good checkpoint is what is left.
 */
export async function checkpointTenant(platform: Platform, tenantId: string): Promise<string | null> {
  const head = await findHead(platform.db, tenantId)
  if (head === null) return null
  const latest = await findLatestCheckpoint(platform.db, tenantId)
  if (latest?.seq === head.seq) return latest.jws
  const from = latest === null ? CHAIN_START : await signedPosition(platform, latest)
  if (from === null || !(await isIntact(platform, tenantId, { from, head }))) {
    platform.log.error('audit chain does not verify; no checkpoint signed', { tenantId, seq: head.seq })
    return latest?.jws ?? null
  }
  const now = platform.clock.now()
  const claims: CheckpointClaims = {
    iss: platform.config.baseUrl,
    tenant_id: tenantId,
    seq: head.seq,
    entry_hash: head.entryHash,
    iat: epochSeconds(now),
  }
  const key = platform.keys.current('audit')
  const jws = await signDocument({ typ: CHECKPOINT_TYPE, payload: claims, key })
  return insertCheckpoint(platform.db, { tenantId, seq: head.seq, jws, now })
}

/** What the last checkpoint vouches for; null when the entry that it signed has another hash now. */
async function signedPosition(
  platform: Platform,
  latest: { jws: string; entryHash: string | null },
): Promise<ChainPosition | null> {
  const claims = await readCheckpoint(latest.jws, (kid) => platform.keys.find('audit', kid))
  return claims.entry_hash === latest.entryHash ? { seq: claims.seq, entryHash: claims.entry_hash } : null
}

async function isIntact(
  platform: Platform,
  tenantId: string,
  { from, head }: { from: ChainPosition; head: ChainPosition },
) {
  let position = from
  while (position.seq < head.seq) {
    const toSeq = Math.min(position.seq + VERIFY_PAGE_ENTRIES, head.seq)
    const entries = await listEntries(platform.db, tenantId, { fromSeq: position.seq + 1, toSeq })
    const verdict = verifyChain(entries, position)
    if (!verdict.intact || verdict.head.seq !== toSeq) return false
    position = verdict.head
  }
  return position.seq === head.seq && position.entryHash === head.entryHash
}

/** Signs a checkpoint for every tenant whose chain has grown. To be run at least hourly; any process may run it. */
export async function checkpointTenants(platform: Platform): Promise<void> {
  for (const tenantId of await listTenantsToCheckpoint(platform.db)) {
    await checkpointTenant(platform, tenantId)
  }
}

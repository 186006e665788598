import type { Platform } from '../../base/core/platform'
import {
  consistencyRanges,
  hashLeaf,
  inclusionRanges,
  provesConsistency,
  provesInclusion,
} from '../../base/protocol/merkle-tree'
import type { AuditEntry } from './chain'
import { isVouchedFor, noteBrokenChain, signCheckpoint } from './checkpoint'
import { findCheckpointFrom, type StoredCheckpoint } from './checkpoint-store'
import { findSignedRoot } from './prove-inclusion'
import { hashSubtrees, rootAt } from './tree'

/**
 * Returns a checkpoint of an entry before the newest checkpoint: the stored one, or one that is signed now and not
 * stored, since any entry may be requested. Null when the tree of the newest checkpoint does not begin with that of the
 * entry, so that nothing is signed that was not covered before.
 */
export async function checkpointEntry(
  platform: Platform,
  { tenant_id: tenantId, seq, entry_hash: entryHash }: AuditEntry,
  newest: StoredCheckpoint,
): Promise<{ readonly jws: string } | null> {
  const stored = await findCheckpointFrom(platform.db, tenantId, seq)
  if (stored?.seq === seq && isVouchedFor(platform, stored)) return stored
  const root = await findRootWithin(platform, tenantId, { seq, entryHash, newest })
  if (root !== null) return signCheckpoint(platform, tenantId, { seq, entryHash, root })
  noteBrokenChain(platform, { tenantId, seq })
  return null
}

interface EarlierEnd {
  readonly seq: number
  readonly entryHash: string
  readonly newest: StoredCheckpoint
}

/**
 * Returns the root over the entries up to one, after proving that the newest tree begins with them and that they end
 * with that entry; null when it does not.
 */
async function findRootWithin(
  platform: Platform,
  tenantId: string,
  { seq, entryHash, newest }: EarlierEnd,
): Promise<Buffer | null> {
  const { db } = platform
  const newestRoot = await findSignedRoot(platform, newest.jws)
  if (newestRoot === null) return null
  const [root, consistency, inclusion] = await Promise.all([
    rootAt(db, tenantId, seq),
    hashSubtrees(db, tenantId, consistencyRanges(seq, newest.seq)),
    hashSubtrees(db, tenantId, inclusionRanges(seq - 1, seq)),
  ])
  if (root === null || consistency === null || inclusion === null) return null
  const leaf = hashLeaf(Buffer.from(entryHash, 'base64url'))
  const isWithin = provesConsistency({
    oldSize: seq,
    oldRoot: root,
    size: newest.seq,
    root: newestRoot,
    proof: consistency,
  })
  return isWithin && provesInclusion({ index: seq - 1, size: seq, leaf, proof: inclusion, root }) ? root : null
}

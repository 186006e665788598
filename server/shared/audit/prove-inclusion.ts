import type { Platform } from '../../base/core/platform'
import { orNullLater } from '../../base/protocol/errors'
import {
  consistencyRanges,
  hashLeaf,
  inclusionRanges,
  provesConsistency,
  provesInclusion,
} from '../../base/protocol/merkle-tree'
import { readCheckpoint } from './checkpoint'
import { checkpointTenant, findVouchedCheckpoint } from './checkpoint-tenant'
import { listEntriesAt } from './store'
import { hashSubtrees, rootAt } from './tree'

/** One signed tree head in both its forms. */
export interface SignedTree {
  readonly jws: string
  /** The C2SP checkpoint: origin, size, root and signature. */
  readonly note: string
}

/** The proof that an entry is a leaf of the tree that a checkpoint states. */
export interface InclusionProof {
  /** `seq` - 1. */
  readonly leaf_index: number
  readonly tree_size: number
  /** From the leaf upwards, base64url. */
  readonly hashes: readonly string[]
  readonly checkpoint: SignedTree
}

/** The proof that a tree begins with a smaller one of the same chain. */
export interface ConsistencyProof {
  readonly from: number
  readonly to: number
  /** In the order of RFC 9162 section 2.1.4.1, base64url. */
  readonly hashes: readonly string[]
}

/**
 * Proves one entry against the newest checkpoint, which is made now if it does not cover the entry. Returns null when
 * there is no such entry, or when the chain no longer matches what was signed.
 */
export async function proveInclusion(
  platform: Platform,
  { tenantId, seq }: { readonly tenantId: string; readonly seq: number },
): Promise<InclusionProof | null> {
  const { db } = platform
  const [[entry], tree] = await Promise.all([listEntriesAt(db, tenantId, [seq]), findTree(platform, tenantId, seq)])
  if (entry === undefined || tree === null) return null
  const index = seq - 1
  const proof = await hashSubtrees(db, tenantId, inclusionRanges(index, tree.size))
  const leaf = hashLeaf(Buffer.from(entry.entry_hash, 'base64url'))
  if (proof === null || !provesInclusion({ index, size: tree.size, leaf, proof, root: tree.root })) return null
  const { jws, note } = tree
  return { leaf_index: index, tree_size: tree.size, hashes: proof.map(toText), checkpoint: { jws, note } }
}

/**
 * Proves that the tree of the first `to` entries begins with that of the first `from`. Returns null when the newest
 * checkpoint does not cover `to`, or when the chain no longer matches what was signed.
 */
export async function proveConsistency(
  platform: Platform,
  { tenantId, from, to }: { readonly tenantId: string; readonly from: number; readonly to: number },
): Promise<ConsistencyProof | null> {
  const { db } = platform
  if (from < 1 || from > to || (await findTree(platform, tenantId, to)) === null) return null
  const [proof, oldRoot, root] = await Promise.all([
    hashSubtrees(db, tenantId, consistencyRanges(from, to)),
    rootAt(db, tenantId, from),
    rootAt(db, tenantId, to),
  ])
  if (proof === null || oldRoot === null || root === null) return null
  if (!provesConsistency({ oldSize: from, oldRoot, size: to, root, proof })) return null
  return { from, to, hashes: proof.map(toText) }
}

const toText = (hash: Buffer): string => hash.toString('base64url')

interface CoveringTree extends SignedTree {
  readonly size: number
  readonly root: Buffer
}

/** Returns the newest signed tree that holds an entry; null when there is none. */
async function findTree(platform: Platform, tenantId: string, seq: number): Promise<CoveringTree | null> {
  const latest = await findVouchedCheckpoint(platform, tenantId)
  const isCovered = latest !== null && latest.seq >= seq && latest.note !== null
  const checkpoint = isCovered ? latest : await checkpointTenant(platform, tenantId)
  if (checkpoint === null || checkpoint.note === null || checkpoint.seq < seq) return null
  const root = await findSignedRoot(platform, checkpoint.jws)
  return root === null ? null : { jws: checkpoint.jws, note: checkpoint.note, size: checkpoint.seq, root }
}

/** Returns the root that a checkpoint states; null when it states none or its key is not trusted. */
export async function findSignedRoot({ keys }: Platform, jws: string): Promise<Buffer | null> {
  return orNullLater(async () => {
    const { root_hash: root } = await readCheckpoint(jws, (kid) => keys.find('audit', kid))
    return root === null ? null : Buffer.from(root, 'base64url')
  })
}

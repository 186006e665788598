import type { Platform } from '../../base/core/platform'
import { CHAIN_START, type ChainPosition, verifyChain } from './chain'
import {
  type CheckpointClaims,
  isVouchedFor,
  noteBrokenChain,
  readCheckpoint,
  readUnvouchedCheckpoint,
  signCheckpoint,
} from './checkpoint'
import {
  findLatestCheckpoint,
  insertCheckpoint,
  listTenantsToCheckpoint,
  type StoredCheckpoint,
} from './checkpoint-store'
import { findHead, listEntries } from './store'
import { countStored, NODE_WIDTH, rootAt, storeNodes } from './tree'

/** The number of entries that are read and hashed again at a time before a position is signed. */
const PAGE_ENTRIES = 4 * NODE_WIDTH

/**
 * Returns a signed checkpoint of the tenant's present chain, made now unless it exists; null while there are no
 * entries. The entries since the last checkpoint are read and hashed again first, and the tree must begin with the one
 * that was signed last: a chain that was tampered with is never signed, and the last valid checkpoint is returned. When
 * the key of a checkpoint was blocked since, the whole chain is verified and signed again.
 */
export async function checkpointTenant(platform: Platform, tenantId: string): Promise<StoredCheckpoint | null> {
  const { db } = platform
  // Read before the head, which another process may advance and sign meanwhile.
  const latest = await findLatestCheckpoint(db, tenantId)
  const head = await findHead(db, tenantId)
  if (head === null) return null
  const vouched = latest !== null && isVouchedFor(platform, latest) ? latest : null
  if (vouched !== null && vouched.seq === head.seq && vouched.note !== null) return vouched
  const root = await extendTree(platform, tenantId, { latest, head })
  if (root === null) {
    noteBrokenChain(platform, { tenantId, seq: head.seq })
    return vouched
  }
  const signed = await signCheckpoint(platform, tenantId, { ...head, root })
  const replaced = vouched === null ? latest : null
  return insertCheckpoint(db, { ...signed, tenantId, replacedJws: replaced?.jws ?? null, now: platform.clock.now() })
}

/** Returns the newest checkpoint of the tenant's chain; null when there is none or its key was blocked. */
export async function findVouchedCheckpoint(platform: Platform, tenantId: string): Promise<StoredCheckpoint | null> {
  const latest = await findLatestCheckpoint(platform.db, tenantId)
  return latest !== null && isVouchedFor(platform, latest) ? latest : null
}

type LatestCheckpoint = Awaited<ReturnType<typeof findLatestCheckpoint>>

/**
 * Verifies the entries since the last checkpoint and adds them to the tree. Returns the root at the head; null when
 * something does not verify.
 */
async function extendTree(
  platform: Platform,
  tenantId: string,
  { latest, head }: { latest: LatestCheckpoint; head: ChainPosition },
): Promise<Buffer | null> {
  const signed = latest === null ? null : await readSigned(platform, latest)
  if (latest !== null && signed?.claims.entry_hash !== latest.entryHash) return null
  if (!(await verifyAndStore(platform, tenantId, { signedSeq: signed?.vouchedSeq ?? 0, head }))) return null
  if (signed !== null && !(await isSignedRoot(platform, tenantId, signed.claims))) return null
  return rootAt(platform.db, tenantId, head.seq)
}

interface SignedHead {
  /** The claims of the last checkpoint; an intact chain agrees with them even if the checkpoint's key was blocked. */
  readonly claims: CheckpointClaims
  /** The last entry that need not be verified again. */
  readonly vouchedSeq: number
}

async function readSigned(platform: Platform, checkpoint: StoredCheckpoint): Promise<SignedHead> {
  if (!isVouchedFor(platform, checkpoint)) return { claims: readUnvouchedCheckpoint(checkpoint.jws), vouchedSeq: 0 }
  const claims = await readCheckpoint(checkpoint.jws, (kid) => platform.keys.find('audit', kid))
  return { claims, vouchedSeq: claims.seq }
}

async function isSignedRoot({ db }: Platform, tenantId: string, { seq, root_hash }: CheckpointClaims) {
  if (root_hash === null) return true
  return (await rootAt(db, tenantId, seq))?.toString('base64url') === root_hash
}

/**
 * Verifies the entries up to the head and stores the nodes that they complete. Starts at the last entry below a stored
 * node, before the last checkpoint, since links lead from there to the signed entry; the first time at the beginning.
 */
async function verifyAndStore(
  { db }: Platform,
  tenantId: string,
  { signedSeq, head }: { signedSeq: number; head: ChainPosition },
): Promise<boolean> {
  const wholeNodes = Math.floor(signedSeq / NODE_WIDTH) * NODE_WIDTH
  const startSeq = Math.min(wholeNodes, await countStored(db, tenantId))
  const [start] = startSeq === 0 ? [] : await listEntries(db, tenantId, { fromSeq: startSeq, toSeq: startSeq })
  let position = start === undefined ? CHAIN_START : { seq: start.seq, entryHash: start.entry_hash }
  while (position.seq < head.seq) {
    const toSeq = Math.min(position.seq + PAGE_ENTRIES, head.seq)
    const entries = await listEntries(db, tenantId, { fromSeq: position.seq + 1, toSeq })
    const verdict = verifyChain(entries, position)
    if (!verdict.intact || verdict.head.seq !== toSeq) return false
    await storeNodes(db, tenantId, entries)
    position = verdict.head
  }
  return position.entryHash === head.entryHash
}

/** Signs a checkpoint for every tenant whose chain has grown. Must run at least hourly; any process may run it. */
export function checkpointTenants(platform: Platform): Promise<void> {
  return checkpointGrown(platform, 1)
}

/**
 * The number of entries without a checkpoint from which one is made: a request for one waits until they are verified,
 * which takes a quarter of a second.
 */
export const UNSIGNED_MAX = 5_000

/**
 * Like {@link checkpointTenants}, for busy tenants only, so that no request for a checkpoint waits for an hour's
 * entries.
 */
export function checkpointBusyTenants(platform: Platform): Promise<void> {
  return checkpointGrown(platform, UNSIGNED_MAX)
}

async function checkpointGrown(platform: Platform, leastEntries: number): Promise<void> {
  for (const tenantId of await listTenantsToCheckpoint(platform.db, leastEntries)) {
    try {
      await checkpointTenant(platform, tenantId)
    } catch (cause) {
      // A chain that cannot be signed does not keep the other tenants waiting.
      platform.log.error('audit checkpoint failed', { tenantId }, cause)
    }
  }
}

import type { Platform } from '../../base/core/platform'
import { ProtocolError } from '../../base/protocol/errors'
import { type AuditEntry, type ChainPosition, GENESIS_HASH, verifyChain } from './chain'
import { type CheckpointClaims, isVouchedFor, readCheckpoint } from './checkpoint'
import { findCheckpointFrom } from './checkpoint-store'
import { checkpointTenant, findVouchedCheckpoint } from './checkpoint-tenant'
import { findHead, listEntries, listEntriesAt } from './store'

/** The most entries that are hashed for a page without being shown on it. */
const RUN_MAX_ENTRIES = 500

export interface EntriesProof {
  /** The numbers of the given entries whose hash is wrong, or which do not link to the entry before or after them. */
  readonly broken: ReadonlySet<number>
  readonly checkpoint: {
    readonly seq: number
    readonly signedAt: Date
    readonly isValid: boolean
    readonly jws: string
  } | null
  /** The result of checking the run from the oldest given entry to the checkpoint. */
  readonly run: 'intact' | 'broken' | 'too_long' | 'unsigned'
}

/**
 * Checks some entries of a tenant's chain: the hash of each and its links to both neighbours, the signature of the head
 * that covers them, and, unless there are too many for a page, each hash and link up to that head. The entries need not
 * be neighbours, and nothing about other entries is returned.
 */
export async function proveEntries(
  platform: Platform,
  tenantId: string,
  entries: readonly AuditEntry[],
): Promise<EntriesProof> {
  const seqs = entries.map(({ seq }) => seq)
  const [broken, found] = await Promise.all([
    findBroken(platform, tenantId, entries),
    findCheckpoint(platform, tenantId, Math.max(0, ...seqs)),
  ])
  const { checkpoint } = found
  const run = await checkRun(platform, tenantId, { seqs, ...found })
  if (checkpoint === null) return { broken, checkpoint: null, run }
  const { claims, jws, seq, signedAt } = checkpoint
  return { broken, checkpoint: { seq, jws, signedAt, isValid: claims !== null }, run }
}

/**
 * Returns the numbers of the broken entries. Reads the neighbours of all entries in one query, including those about
 * other people, but uses only their hashes.
 */
async function findBroken(
  { db }: Platform,
  tenantId: string,
  entries: readonly AuditEntry[],
): Promise<ReadonlySet<number>> {
  const wanted = new Set(entries.flatMap(({ seq }) => [seq - 1, seq + 1]).filter((seq) => seq > 0))
  const around = new Map((await listEntriesAt(db, tenantId, [...wanted])).map((entry) => [entry.seq, entry]))
  const isBroken = (entry: AuditEntry): boolean => {
    const before = around.get(entry.seq - 1)
    const after = around.get(entry.seq + 1)
    const startsRight = entry.seq === 1 ? entry.prev_hash === GENESIS_HASH : before?.entry_hash === entry.prev_hash
    const goesOn = after === undefined || after.prev_hash === entry.entry_hash
    return !startsRight || !goesOn || !verifyChain([entry]).intact
  }
  return new Set(entries.filter(isBroken).map(({ seq }) => seq))
}

interface CoveringCheckpoint {
  readonly seq: number
  readonly jws: string
  readonly signedAt: Date
  /** The claims; null when this server did not sign them. */
  readonly claims: CheckpointClaims | null
}

const covers = (checkpoint: CoveringCheckpoint | null, seq: number): checkpoint is CoveringCheckpoint =>
  checkpoint !== null && checkpoint.seq >= seq

interface CheckpointSearch {
  readonly checkpoint: CoveringCheckpoint | null
  /**
   * Whether a head that should have been signed now was refused, because the entries that it would cover do not verify.
   */
  readonly isRefused: boolean
}

/**
 * Returns the nearest signed head that covers the entry. For a new entry a head is signed now, if few entries must be
 * verified for it.
 */
async function findCheckpoint(platform: Platform, tenantId: string, seq: number): Promise<CheckpointSearch> {
  const covering = seq === 0 ? null : await findCheckpointFrom(platform.db, tenantId, seq)
  if (covering !== null && isVouchedFor(platform, covering))
    return { checkpoint: await describe(platform, covering), isRefused: false }
  const unsigned = await countUnsigned(platform, tenantId)
  const isLittle = unsigned > 0 && unsigned <= RUN_MAX_ENTRIES
  if (isLittle) await checkpointTenant(platform, tenantId)
  const newest = await findVouchedCheckpoint(platform, tenantId)
  const checkpoint = newest === null ? null : await describe(platform, newest)
  return { checkpoint, isRefused: isLittle && !covers(checkpoint, seq) }
}

async function countUnsigned(platform: Platform, tenantId: string): Promise<number> {
  const [head, latest] = await Promise.all([findHead(platform.db, tenantId), findVouchedCheckpoint(platform, tenantId)])
  return (head?.seq ?? 0) - (latest?.seq ?? 0)
}

async function describe(platform: Platform, { seq, jws }: { seq: number; jws: string }): Promise<CoveringCheckpoint> {
  try {
    const claims = await readCheckpoint(jws, (kid) => platform.keys.find('audit', kid))
    const isOwn = claims.seq === seq && claims.iss === platform.config.baseUrl
    return { seq, jws, signedAt: new Date(claims.iat * 1000), claims: isOwn ? claims : null }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { seq, jws, signedAt: new Date(0), claims: null }
  }
}

interface ChainRun extends CheckpointSearch {
  /** The numbers of the entries to prove. */
  readonly seqs: readonly number[]
}

async function checkRun(platform: Platform, tenantId: string, run: ChainRun): Promise<EntriesProof['run']> {
  const { seqs, checkpoint, isRefused } = run
  const isForged = checkpoint !== null && checkpoint.claims?.tenant_id !== tenantId
  if (isRefused || isForged) return 'broken'
  if (seqs.length === 0) return checkpoint === null ? 'unsigned' : 'intact'
  const [oldest, newest] = [Math.min(...seqs), Math.max(...seqs)]
  if (!covers(checkpoint, newest)) return checkUnsigned(platform, tenantId, { oldest, newest, checkpoint })
  if (checkpoint.seq - oldest >= RUN_MAX_ENTRIES) return 'too_long'
  const verdict = verifyChain(await listEntries(platform.db, tenantId, { fromSeq: oldest, toSeq: checkpoint.seq }))
  return verdict.intact && isHead(verdict.head, checkpoint.claims) ? 'intact' : 'broken'
}

/**
 * Checks entries of which some are not covered by a signed head, since too many are new to be signed while a page
 * waits. The last head covers those that are not after it.
 */
async function checkUnsigned(
  { db }: Platform,
  tenantId: string,
  { oldest, newest, checkpoint }: UnsignedRun,
): Promise<EntriesProof['run']> {
  const toSeq = Math.min(newest, oldest + RUN_MAX_ENTRIES - 1)
  const entries = await listEntries(db, tenantId, { fromSeq: oldest, toSeq })
  const verdict = verifyChain(entries)
  if (!verdict.intact || verdict.head.seq !== toSeq) return 'broken'
  const signed = entries.find(({ seq }) => seq === checkpoint?.seq)
  return signed === undefined || signed.entry_hash === checkpoint?.claims?.entry_hash ? 'unsigned' : 'broken'
}

interface UnsignedRun {
  readonly oldest: number
  readonly newest: number
  readonly checkpoint: CoveringCheckpoint | null
}

function isHead(head: ChainPosition, claims: CheckpointClaims | null): boolean {
  return claims !== null && head.seq === claims.seq && head.entryHash === claims.entry_hash
}

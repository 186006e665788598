import type { Platform } from '../../base/core/platform'
import { ProtocolError } from '../../base/protocol/errors'
import { type AuditEntry, type ChainPosition, GENESIS_HASH, verifyChain } from './chain'
import { type CheckpointClaims, isVouchedFor, readCheckpoint } from './checkpoint'
import { findCheckpointFrom } from './checkpoint-store'
import { checkpointTenant, findVouchedCheckpoint } from './checkpoint-tenant'
import { findHead, listEntries, listEntriesAt } from './store'

/** A page hashes at most this many entries that it does not show. */
const RUN_MAX_ENTRIES = 500

export interface EntriesProof {
  /** Numbers of the given entries whose hash is wrong, or that do not join the entry before or after them. */
  readonly broken: ReadonlySet<number>
  readonly checkpoint: {
    readonly seq: number
    readonly signedAt: Date
    readonly isValid: boolean
    readonly jws: string
  } | null
  /** What checking the run from the oldest given entry to the checkpoint found. */
  readonly run: 'intact' | 'broken' | 'too_long' | 'unsigned'
}

/**
 * Checks some entries of a tenant's chain: each one's hash and its links to both neighbours, the signature of the head
 * that vouches for them, and, when it is not longer than a page can check, each hash and link on the way to that head.
 * The entries need not be neighbours, and nothing of the others is told.
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

/** The neighbours are read in the same go, also those that are about other people: only their hashes are looked at. */
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
  /** Null when the signature is not one of ours. */
  readonly claims: CheckpointClaims | null
}

const covers = (checkpoint: CoveringCheckpoint | null, seq: number): checkpoint is CoveringCheckpoint =>
  checkpoint !== null && checkpoint.seq >= seq

interface CheckpointSearch {
  readonly checkpoint: CoveringCheckpoint | null
  /** A head was to be signed now, and was not: what it would cover does not verify. */
  readonly isRefused: boolean
}

/** The nearest signed head that covers the entry; when it is new, one is signed now as long as that is little work. */
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
  /** Of the entries to prove. */
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
 * Without a head that covers them all, since too much is new to be signed while a page waits. The last one vouches for
 * those that are not above it.
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

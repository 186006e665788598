import { orNullLater } from '@/server/base/protocol/errors'
import { hashLeaf, rootOf } from '@/server/base/protocol/merkle-tree'
import {
  type AuditEntry,
  type CheckpointClaims,
  GENESIS_HASH,
  readCheckpoint,
  verifyChain,
} from '@/server/shared/audit'
import { openStatement } from '../audit-witness/statement'
import type { FindKey } from './keys'
import type { ExportedEntry, ExportedRange } from './read-range'

export interface VerificationResult {
  readonly intact: boolean
  readonly text: string
}

/** Statements of a witness, and the key that signed them. */
export interface Witness {
  readonly statements: readonly string[]
  readonly findKey: FindKey
}

/**
 * Checks every hash and link, that the newest checkpoint is signed by a known key and covers an entry in the file, and
 * that the chain contains what was witnessed. Entries after the checkpoint are linked, but not signed yet.
 */
export async function verifyExport(
  ranges: readonly ExportedRange[],
  findKey: FindKey,
  witness?: Witness,
): Promise<VerificationResult> {
  const [tenantId = ''] = ranges.map((part) => part.tenantId)
  if (ranges.some((part) => part.tenantId !== tenantId)) return notIntact('The files are of several tenants.')
  const ambiguous = ranges.find((part) => part.fault !== null)
  if (ambiguous !== undefined) return notIntact(ambiguous.fault ?? '')
  const exported = ranges.flatMap((part) => part.entries)
  const entries = readable(exported)
  const fault = findChainFault(tenantId, exported, entries)
  if (fault !== null) return notIntact(fault)
  const jws = ranges.at(-1)?.checkpoint ?? null
  if (jws === null) return judgeUnsigned(entries, witness)
  const checkpoint = await openCheckpoint(jws, findKey)
  if (checkpoint === null) return notIntact('The checkpoint is not signed by a key of this key set.')
  const doubt =
    findCheckpointFault(checkpoint, { tenantId, entries }) ?? (await findWitnessFault(witness, { tenantId, entries }))
  if (doubt !== null) return notIntact(doubt)
  return { intact: true, text: describeIntact(checkpoint, { entries, witness }) }
}

/** Returns the entries before the first that cannot be read. */
function readable(exported: readonly ExportedEntry[]): readonly AuditEntry[] {
  const end = exported.findIndex((one) => 'fault' in one)
  return (end === -1 ? exported : exported.slice(0, end)).flatMap((one) => ('entry' in one ? [one.entry] : []))
}

function findChainFault(tenantId: string, exported: readonly ExportedEntry[], entries: readonly AuditEntry[]) {
  const foreign = entries.findIndex((entry) => entry.tenant_id !== tenantId)
  const chain = verifyChain(foreign === -1 ? entries : entries.slice(0, foreign))
  if (!chain.intact) return `Entry ${chain.seq}: ${chain.reason}.`
  if (foreign !== -1) return `Entry ${entries[foreign]?.seq}: the entry is of another tenant.`
  const unread = exported[entries.length]
  if (unread === undefined || !('fault' in unread)) return null
  return `Entry ${unread.seq ?? chain.head.seq + 1}: ${unread.fault}.`
}

function judgeUnsigned(entries: readonly AuditEntry[], witness: Witness | undefined): VerificationResult {
  if (entries.length > 0) return notIntact('There is no checkpoint, so nothing vouches for the end of the chain.')
  if (witness !== undefined) return notIntact('The chain is empty, and does not hold what was witnessed.')
  return { intact: true, text: 'Intact: the chain is empty, and there is no checkpoint yet.' }
}

async function openCheckpoint(jws: string, findKey: FindKey): Promise<CheckpointClaims | null> {
  return orNullLater(() => readCheckpoint(jws, findKey))
}

interface Chain {
  readonly tenantId: string
  readonly entries: readonly AuditEntry[]
}

function findCheckpointFault(checkpoint: CheckpointClaims, { tenantId, entries }: Chain): string | null {
  if (checkpoint.tenant_id !== tenantId) return 'The checkpoint is of another tenant.'
  const covered = entries.find((one) => one.seq === checkpoint.seq)
  if (covered === undefined) return `The checkpoint vouches for entry ${checkpoint.seq}, which the files do not hold.`
  if (covered.entry_hash !== checkpoint.entry_hash)
    return `Entry ${checkpoint.seq} is not the one that the checkpoint vouches for.`
  const isWhole = entries[0]?.seq === 1 && checkpoint.root_hash !== null
  if (isWhole && rootAt(entries, checkpoint.seq) !== checkpoint.root_hash)
    return `Entries 1 to ${checkpoint.seq} do not yield the tree that the checkpoint states.`
  return null
}

function rootAt(entries: readonly AuditEntry[], size: number): string {
  const leaves = entries.slice(0, size).map((entry) => hashLeaf(Buffer.from(entry.entry_hash, 'base64url')))
  return rootOf(leaves).toString('base64url')
}

async function findWitnessFault(witness: Witness | undefined, { tenantId, entries }: Chain): Promise<string | null> {
  if (witness === undefined) return null
  for (const jws of witness.statements) {
    const seen = await openStatement(jws, witness.findKey)
    if (seen === null) return 'A witness statement is not signed by the witness key.'
    if (seen.tenant_id !== tenantId) return 'A witness statement is about another tenant.'
    const held = entries.find((one) => one.seq === seen.seq)
    if (held === undefined) return `Entry ${seen.seq} was witnessed, and the files do not hold it.`
    if (held.entry_hash !== seen.entry_hash) return `Entry ${seen.seq} is not the one that was witnessed.`
  }
  return null
}

function describeIntact(
  { iss, seq, iat, tenant_id }: CheckpointClaims,
  { entries, witness }: { entries: readonly AuditEntry[]; witness: Witness | undefined },
): string {
  const [first] = entries
  const start = first?.prev_hash === GENESIS_HASH ? 'from its beginning' : `from entry ${first?.seq ?? 0}`
  const lines = [
    `Intact: ${entries.length} entries of ${tenant_id}, ${start}.`,
    `Checkpoint of ${iss}: entry ${seq}, signed ${new Date(iat * 1000).toISOString()}.`,
  ]
  const last = entries.at(-1)?.seq ?? seq
  if (last > seq) lines.push(describeTail(seq + 1, last))
  if (witness !== undefined) lines.push(`It holds what was witnessed (${witness.statements.length}).`)
  return lines.join('\n')
}

/**
 * Describes the entries since the checkpoint: they are linked, but anyone who has the file could have appended them.
 */
function describeTail(first: number, last: number): string {
  const entries = first === last ? `entry ${first} is` : `entries ${first} to ${last} are`
  return `Not all of it is signed: ${entries} not vouched for yet.`
}

function notIntact(reason: string): VerificationResult {
  return { intact: false, text: `NOT INTACT: ${reason}` }
}

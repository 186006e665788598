import * as z from 'zod'
import { decodeJws } from '@/server/base/protocol/eddsa'
import { ProtocolError } from '@/server/base/protocol/errors'
import { hashLeaf } from '@/server/base/protocol/merkle-tree'
import { openNote, readTreeHead } from '@/server/base/protocol/signed-note'
import {
  type AuditEntry,
  CHAIN_START,
  type ChainPosition,
  type CheckpointClaims,
  logOrigin,
  readCheckpoint,
  verifyChain,
} from '@/server/shared/audit'
import type { FindKey } from '../audit-verify/keys'
import { parseJson, readRange } from '../audit-verify/read-range'
import { CommandError, UsageError } from '../operator-client'
import type { Seen } from './folder'
import { GrowingTree } from './growing-tree'
import type { TenantClient } from './tenant-client'

/** Thrown when the chain does not continue what the witness saw before, or is incomplete; then nothing is signed. */
class Alarm extends CommandError {}

const answer = z.object({ checkpoint: z.string().nullable(), note: z.string().nullish() })

interface Source {
  readonly tenantId: string
  readonly client: TenantClient
  readonly findKey: FindKey
}

/** A checkpoint whose signatures are valid, not yet compared with the last one. */
interface Offered {
  readonly jws: string
  readonly claims: CheckpointClaims
}

/**
 * Reads the newest checkpoint and every entry since the last one that was seen, and checks that they continue it.
 * Returns the state to store and the statement to sign; null for an empty chain. Throws an {@link Alarm} otherwise.
 */
export async function observe(source: Source, last: Seen | null): Promise<Observation | null> {
  try {
    return await compare(source, last)
  } catch (cause) {
    if (cause instanceof UsageError) throw new Alarm(cause.message, { cause })
    throw cause
  }
}

interface Observation {
  readonly seen: Seen
  readonly offered: Offered
}

async function compare(source: Source, last: Seen | null): Promise<Observation | null> {
  const offered = await readOffered(source)
  if (offered === null) {
    if (last !== null) throw new Alarm(`The chain is empty, and had ${last.seq} entries before.`)
    return null
  }
  const { claims } = offered
  if (last !== null) comparePlace(claims, last)
  const tree = new GrowingTree(last?.edge ?? [])
  const start = last === null ? CHAIN_START : { seq: last.seq, entryHash: last.entry_hash }
  const head = await follow(source, claims.seq, { start, tree })
  compareEnd(claims, { head, root: tree.root() })
  const { iss: issuer, tenant_id, seq, entry_hash, root_hash } = claims
  return {
    offered,
    seen: { issuer, tenant_id, seq, entry_hash, root_hash, edge: tree.edge(), checkpoint: offered.jws },
  }
}

async function readOffered({ client, findKey, tenantId }: Source): Promise<Offered | null> {
  const parsed = answer.safeParse(parseJson(await client.read('checkpoint'), 'The answer'))
  if (!parsed.success) throw new CommandError('The answer holds no checkpoint. Is it a Countersign server?')
  const { checkpoint: jws, note } = parsed.data
  if (jws === null) return null
  try {
    const claims = await readCheckpoint(jws, findKey)
    if (claims.tenant_id !== tenantId) throw new Alarm('The checkpoint is of another tenant.')
    if (note != null) await checkNote(note, { jws, claims, findKey })
    return { jws, claims }
  } catch (cause) {
    if (cause instanceof ProtocolError) throw new Alarm(`The checkpoint is not valid: ${cause.message}.`, { cause })
    throw cause
  }
}

/** Checks that both forms of a checkpoint state the same head; otherwise two readers could be shown two trees. */
async function checkNote(
  note: string,
  { jws, claims, findKey }: { jws: string; claims: CheckpointClaims; findKey: FindKey },
) {
  const key = await findKey(decodeJws(jws).header.kid ?? '')
  const name = logOrigin(claims.iss, claims.tenant_id)
  const head = readTreeHead(openNote(note, key === undefined ? [] : [{ name, key }]))
  const isSame =
    head.origin === name && head.size === claims.seq && head.root.toString('base64url') === claims.root_hash
  if (!isSame) throw new Alarm('The checkpoint and its note state two different trees.')
}

function comparePlace(claims: CheckpointClaims, last: Seen): void {
  if (claims.iss !== last.issuer) throw new Alarm(`The issuer is ${claims.iss}, and was ${last.issuer} before.`)
  if (claims.seq < last.seq) {
    throw new Alarm(`Rolled back: the chain ends with entry ${claims.seq}, and had ${last.seq} entries before.`)
  }
  if (claims.seq === last.seq && claims.entry_hash !== last.entry_hash) {
    throw new Alarm(`Forked: entry ${claims.seq} is not the one that was seen before.`)
  }
}

/** Reads and checks the entries after `start` up to `toSeq`, and appends each to the tree. */
async function follow(
  { client, tenantId }: Source,
  toSeq: number,
  { start, tree }: { start: ChainPosition; tree: GrowingTree },
): Promise<ChainPosition> {
  let head = start
  while (head.seq < toSeq) {
    const fromSeq = head.seq + 1
    const { entries, fault } = readRange(await client.read('range', { from_seq: fromSeq, to_seq: toSeq }), 'The answer')
    if (fault !== null) throw new Alarm(fault)
    if (entries.length === 0) throw new Alarm(`Gap: entry ${fromSeq} is missing.`)
    const read = entries.map((one, at): AuditEntry => {
      if ('entry' in one) return one.entry
      throw new Alarm(`Entry ${one.seq ?? fromSeq + at}: ${one.fault}.`)
    })
    head = check(read, { head, tenantId })
    for (const { entry_hash } of read) tree.append(hashLeaf(Buffer.from(entry_hash, 'base64url')))
  }
  return head
}

function check(entries: readonly AuditEntry[], { head, tenantId }: { head: ChainPosition; tenantId: string }) {
  const foreign = entries.find((entry) => entry.tenant_id !== tenantId)
  if (foreign !== undefined) throw new Alarm(`Entry ${foreign.seq}: the entry is of another tenant.`)
  const verdict = verifyChain(entries, head)
  if (verdict.intact) return verdict.head
  const isFork = verdict.seq === head.seq + 1 && head.seq > 0
  throw new Alarm(
    isFork
      ? `Forked or broken after entry ${head.seq}: ${verdict.reason}.`
      : `Entry ${verdict.seq}: ${verdict.reason}.`,
  )
}

function compareEnd(claims: CheckpointClaims, { head, root }: { head: ChainPosition; root: string | null }): void {
  if (head.seq !== claims.seq || head.entryHash !== claims.entry_hash) {
    throw new Alarm(`Entry ${claims.seq} is not the one that the checkpoint vouches for.`)
  }
  const hasTree = claims.root_hash !== null
  if (hasTree && root !== claims.root_hash)
    throw new Alarm(`Entries 1 to ${claims.seq} do not yield the tree of the checkpoint.`)
}

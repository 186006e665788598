import type { Database, Queryable } from '../../base/core/platform'
import {
  completeSubtrees,
  hashLeaf,
  joinSubtrees,
  type LeafRange,
  rootOf,
  type Subtree,
} from '../../base/protocol/merkle-tree'
import type { AuditEntry } from './chain'
import { countNodes, type HashRun, insertNodes, listEntryHashes, listNodes, type NodeRow } from './tree-store'

/*
 * The Merkle tree over a chain: leaf number seq - 1 holds the 32 bytes of the entry's hash. Roots of complete subtrees are
 * stored at every eighth height only; what lies between is computed from at most 256 hashes of the height below.
 */
const STEP = 8
/**
 * The number of hashes below one stored node: of entries for the lowest nodes, of the stored nodes below for the
 * others.
 */
export const NODE_WIDTH = 2 ** STEP

const leafHash = (entryHash: string): Buffer => hashLeaf(Buffer.from(entryHash, 'base64url'))
const storedHeight = (height: number): number => Math.floor(height / STEP) * STEP

/** Returns the run of hashes that a complete subtree is computed from: of entries, or of stored nodes. */
function runOf({ height, position }: Subtree): HashRun {
  const below = storedHeight(height)
  const count = 2 ** (height - below)
  return { height: below, first: position * count, last: (position + 1) * count - 1 }
}

/** Returns the hashes of subtrees of a tenant's tree; null when some of the hashes below are missing. */
export async function hashSubtrees(
  db: Queryable,
  tenantId: string,
  ranges: readonly LeafRange[],
): Promise<Buffer[] | null> {
  const runs = ranges.map((range) => completeSubtrees(range).map(runOf))
  const hashes = await readHashes(db, tenantId, runs.flat())
  const joined = runs.map((parts) => {
    const subtrees = parts.map((run) => hashRun(run, hashes))
    return subtrees.every((hash) => hash !== null) ? joinSubtrees(subtrees) : null
  })
  return joined.every((hash) => hash !== null) ? joined : null
}

type HashTable = ReadonlyMap<string, Buffer>
const keyOf = (height: number, position: number): string => `${height}/${position}`

async function readHashes(db: Queryable, tenantId: string, runs: readonly HashRun[]): Promise<HashTable> {
  const [leaves, nodes] = await Promise.all([
    readWhere(
      runs,
      ({ height }) => height === 0,
      (some) => listEntryHashes(db, tenantId, some),
    ),
    readWhere(
      runs,
      ({ height }) => height > 0,
      (some) => listNodes(db, tenantId, some),
    ),
  ])
  const hashes = new Map<string, Buffer>()
  for (const { position, hash } of leaves) hashes.set(keyOf(0, position), leafHash(hash))
  for (const { height, position, hash } of nodes) hashes.set(keyOf(height, position), Buffer.from(hash, 'base64url'))
  return hashes
}

async function readWhere<T>(
  runs: readonly HashRun[],
  isWanted: (run: HashRun) => boolean,
  read: (runs: readonly HashRun[]) => Promise<T[]>,
): Promise<T[]> {
  const wanted = runs.filter(isWanted)
  return wanted.length === 0 ? [] : read(wanted)
}

function hashRun({ height, first, last }: HashRun, hashes: HashTable): Buffer | null {
  const found: Buffer[] = []
  for (let position = first; position <= last; position += 1) {
    const hash = hashes.get(keyOf(height, position))
    if (hash === undefined) return null
    found.push(hash)
  }
  return rootOf(found)
}

/** Returns the root over the first `size` entries; null when the stored tree is incomplete. */
export async function rootAt(db: Queryable, tenantId: string, size: number): Promise<Buffer | null> {
  const roots = await hashSubtrees(db, tenantId, [{ start: 0, end: size }])
  return roots?.[0] ?? null
}

/** Returns the number of entries below stored nodes. */
export async function countStored(db: Queryable, tenantId: string): Promise<number> {
  return NODE_WIDTH * (await countNodes(db, tenantId, STEP))
}

/**
 * Stores the nodes that verified entries complete. The entries continue what is stored: the first of them is the first
 * entry below a node.
 */
export async function storeNodes(db: Database, tenantId: string, entries: readonly AuditEntry[]): Promise<void> {
  const start = ((entries[0]?.seq ?? 1) - 1) / NODE_WIDTH
  const count = Math.floor(entries.length / NODE_WIDTH)
  const nodes = Array.from({ length: count }, (_, at): NodeRow => {
    const below = entries.slice(at * NODE_WIDTH, (at + 1) * NODE_WIDTH)
    const hash = rootOf(below.map((entry) => leafHash(entry.entry_hash)))
    return { height: STEP, position: start + at, hash: hash.toString('base64url') }
  })
  if (nodes.length > 0) await db.transaction((tx) => insertAndRise(tx, tenantId, nodes))
}

/** Inserts nodes of one height, and those above that they complete. */
async function insertAndRise(db: Queryable, tenantId: string, nodes: readonly NodeRow[]): Promise<void> {
  await insertNodes(db, tenantId, nodes)
  const completed = nodes.filter(({ position }) => (position + 1) % NODE_WIDTH === 0)
  const parents: NodeRow[] = []
  for (const { height, position } of completed) {
    const parent = { height: height + STEP, position: (position + 1) / NODE_WIDTH - 1 }
    const run = { height, first: parent.position * NODE_WIDTH, last: position }
    const root = hashRun(run, await readHashes(db, tenantId, [run]))
    if (root !== null) parents.push({ ...parent, hash: root.toString('base64url') })
  }
  if (parents.length > 0) await insertAndRise(db, tenantId, parents)
}

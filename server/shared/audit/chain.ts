import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'

/** `prev_hash` of the first entry of every chain: 32 zero bytes. */
export const GENESIS_HASH = Buffer.alloc(32).toString('base64url')

/** One entry of a tenant's chain in its exported form. */
export interface AuditEntry {
  readonly seq: number
  /** RFC 3339 in UTC with milliseconds. */
  readonly ts: string
  readonly event: string
  readonly tenant_id: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly payload: Readonly<Record<string, unknown>>
  readonly prev_hash: string
  readonly entry_hash: string
}

/** A position in a chain; `entryHash` covers all entries up to `seq`. */
export interface ChainPosition {
  readonly seq: number
  readonly entryHash: string
}

export const CHAIN_START: ChainPosition = { seq: 0, entryHash: GENESIS_HASH }

export type ChainVerdict =
  | { readonly intact: true; readonly head: ChainPosition }
  | { readonly intact: false; readonly seq: number; readonly reason: string }

/**
 * Returns the hash of an entry: base64url SHA-256 over the canonical JSON of all its other members, unknown ones
 * included.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8785}
 */
export function hashEntry(entry: Omit<AuditEntry, 'entry_hash'>): string {
  const hashed = Object.entries(entry).filter(([name]) => name !== 'entry_hash')
  return sha256Base64url(canonicalJson(Object.fromEntries(hashed)))
}

/**
 * Checks that `entries` are an unbroken run of one chain: numbers without gaps, every hash and link correct, times
 * never decreasing. With `after` the run must continue from there; without it, the link of the first entry is not
 * checked, unless it is number 1, which must start the chain.
 */
export function verifyChain(entries: readonly AuditEntry[], after?: ChainPosition): ChainVerdict {
  let head = after ?? startOf(entries)
  let previous: AuditEntry | undefined
  for (const entry of entries) {
    const reason = findFault(entry, { head, previous })
    if (reason !== null) return { intact: false, seq: head.seq + 1, reason }
    head = { seq: entry.seq, entryHash: entry.entry_hash }
    previous = entry
  }
  return { intact: true, head }
}

function startOf(entries: readonly AuditEntry[]): ChainPosition {
  const [first] = entries
  if (first === undefined || first.seq === 1) return CHAIN_START
  return { seq: first.seq - 1, entryHash: first.prev_hash }
}

function findFault(entry: AuditEntry, { head, previous }: { head: ChainPosition; previous: AuditEntry | undefined }) {
  if (entry.seq !== head.seq + 1) return `entry ${head.seq + 1} is missing`
  if (entry.prev_hash !== head.entryHash) return 'the entry does not continue the one before it'
  if (previous !== undefined && entry.tenant_id !== previous.tenant_id) return 'the entry is of another tenant'
  if (previous !== undefined && entry.ts < previous.ts) return 'the entry is dated before the one before it'
  if (safeHash(entry) !== entry.entry_hash) return 'the entry does not match its hash'
  return null
}

/** Returns the hash, or null for an entry of an exported file that has no canonical form. */
function safeHash(entry: AuditEntry): string | null {
  try {
    return hashEntry(entry)
  } catch {
    return null
  }
}

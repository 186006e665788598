import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { ProtocolError } from '@/server/base/protocol/errors'
import { parsePublicJwk } from '@/server/base/protocol/jwk'
import type { DocumentVerification } from '@/server/base/protocol/jws'
import { importKey } from '@/server/base/protocol/key-import'
import { type CheckpointClaims, GENESIS_HASH, readCheckpoint, verifyChain } from '@/server/shared/audit'
import { CommandError, readJson, sendRequest } from '../operator-client'

const entry = z.object({
  seq: z.int(),
  ts: z.string(),
  event: z.string(),
  tenant_id: z.string(),
  actor: z.object({ kind: z.string(), id: z.string() }),
  payload: z.record(z.string(), z.unknown()),
  prev_hash: z.string(),
  entry_hash: z.string(),
})
const range = z.object({ tenant_id: z.string(), entries: z.array(entry), checkpoint: z.string().nullable() })

/** One answer of GET /audit/{tenant_id}/range. */
export type ExportedRange = z.output<typeof range>
export type FindKey = DocumentVerification['findKey']

export interface VerificationResult {
  readonly intact: boolean
  readonly text: string
}

/** Reads one exported answer; throws a {@link CommandError} for anything else. */
export function readExport(path: string): ExportedRange {
  const parsed = range.safeParse(readJsonFile(path))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CommandError(`${path} is no exported audit range: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** Reads a key set from a file or an address. */
export async function readKeys(place: string): Promise<FindKey> {
  const source = /^https?:\/\//.test(place) ? await readJson(await sendRequest(place)) : readJsonFile(place)
  const { keys } = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }).parse(source)
  return async (kid) => {
    const jwk = keys.find((key) => key.kid === kid)
    return jwk === undefined ? undefined : (await importKey(parsePublicJwk(jwk))).key
  }
}

/**
 * Checks every hash and link, and that the newest checkpoint is signed by a known key and vouches for an entry that is
 * there. What lies after that entry is linked, but not vouched for yet.
 */
export async function verifyExport(ranges: readonly ExportedRange[], findKey: FindKey): Promise<VerificationResult> {
  const entries = ranges.flatMap((part) => part.entries)
  const tenants = new Set(ranges.map((part) => part.tenant_id))
  const [tenantId = ''] = tenants
  if (tenants.size > 1 || entries.some((one) => one.tenant_id !== tenantId))
    return notIntact('The files are of several tenants.')
  const chain = verifyChain(entries)
  if (!chain.intact) return notIntact(`Entry ${chain.seq}: ${chain.reason}.`)
  const jws = ranges.at(-1)?.checkpoint ?? null
  if (jws === null) {
    return entries.length === 0
      ? { intact: true, text: 'The chain is empty, and there is no checkpoint yet.' }
      : notIntact('There is no checkpoint, so nothing vouches for the end of the chain.')
  }
  const checkpoint = await openCheckpoint(jws, findKey)
  if (checkpoint === null) return notIntact('The checkpoint is not signed by a key of this key set.')
  const fault = findCheckpointFault(checkpoint, { tenantId, entries })
  if (fault !== null) return notIntact(fault)
  return { intact: true, text: describeIntact(checkpoint, entries) }
}

async function openCheckpoint(jws: string, findKey: FindKey): Promise<CheckpointClaims | null> {
  try {
    return await readCheckpoint(jws, findKey)
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

type Entries = ExportedRange['entries']

function findCheckpointFault(
  checkpoint: CheckpointClaims,
  { tenantId, entries }: { tenantId: string; entries: Entries },
): string | null {
  if (checkpoint.tenant_id !== tenantId) return 'The checkpoint is of another tenant.'
  const covered = entries.find((one) => one.seq === checkpoint.seq)
  if (covered === undefined) return `The checkpoint vouches for entry ${checkpoint.seq}, which the files do not hold.`
  if (covered.entry_hash !== checkpoint.entry_hash)
    return `Entry ${checkpoint.seq} is not the one that the checkpoint vouches for.`
  return null
}

function describeIntact({ iss, seq, iat, tenant_id }: CheckpointClaims, entries: Entries): string {
  const [first] = entries
  const start = first?.prev_hash === GENESIS_HASH ? 'from its beginning' : `from entry ${first?.seq ?? 0}`
  return [
    `Intact: ${entries.length} entries of ${tenant_id}, ${start}.`,
    `Checkpoint of ${iss}: entry ${seq}, signed ${new Date(iat * 1000).toISOString()}.`,
  ].join('\n')
}

function notIntact(reason: string): VerificationResult {
  return { intact: false, text: `NOT INTACT: ${reason}` }
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`${path} cannot be read as JSON.`, { cause })
  }
}

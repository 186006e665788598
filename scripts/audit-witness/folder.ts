import { createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { lockDataDirectory } from '@/server/base/platform/database/data-directory-lock'
import { createFileOnce, replaceFile } from '@/server/base/platform/files'
import { StartFailure } from '@/server/base/platform/start-failure'
import type { SigningKey } from '@/server/base/protocol/eddsa'
import { parsePublicJwk } from '@/server/base/protocol/jwk'
import { thumbprintOf } from '@/server/base/protocol/key-import'
import { parseJson, readText } from '../audit-verify/read-range'
import { CommandError } from '../operator-client'

const seen = z.object({
  issuer: z.string(),
  tenant_id: z.string(),
  seq: z.int().min(1),
  entry_hash: z.string(),
  root_hash: z.string().nullable(),
  /** The right edge of the tree over all entries up to `seq`. */
  edge: z.array(z.object({ height: z.int(), hash: z.string() })),
  checkpoint: z.string(),
})

/** The last checkpoint that was found to continue all before it. */
export type Seen = z.output<typeof seen>

const STATE = 'state.json'
const KEY = 'witness.key.json'

/** Runs `work` as the only witness on this folder. Throws a CommandError while another one uses it. */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const release = lock(folder)
  try {
    return await work()
  } finally {
    release()
  }
}

function lock(folder: string): () => void {
  try {
    return lockDataDirectory(folder)
  } catch (cause) {
    if (cause instanceof StartFailure) throw new CommandError(cause.message, { cause })
    throw cause
  }
}

/** Returns the state of the last run; null before the first. */
export function readSeen(folder: string): Seen | null {
  const path = join(folder, STATE)
  if (!existsSync(path)) return null
  const parsed = seen.safeParse(parseJson(readText(path), path))
  if (!parsed.success) throw new CommandError(`${path} is not the state of a witness.`)
  return parsed.data
}

/** Stores the state, completely or not at all. */
export function writeSeen(folder: string, state: Seen): void {
  replaceFile(join(folder, STATE), `${JSON.stringify(state, null, 2)}\n`)
}

/** Writes a statement unless there is one for that entry. Returns its path. */
export function writeStatement(folder: string, seq: number, jws: string): string {
  const path = join(folder, `${seq}.witness.jws`)
  createFileOnce(path, `${jws}\n`)
  return path
}

/** Returns whether there is a statement for that entry. */
export function hasStatement(folder: string, seq: number): boolean {
  return existsSync(join(folder, `${seq}.witness.jws`))
}

/** Returns the witness's own Ed25519 key, created the first time, with its public half in a file beside it. */
export async function openWitnessKey(folder: string): Promise<SigningKey> {
  const path = join(folder, KEY)
  if (!existsSync(path)) createFileOnce(path, `${JSON.stringify(generateJwk())}\n`)
  const jwk = readPrivateJwk(path)
  const publicJwk = parsePublicJwk({ kty: jwk.kty, crv: jwk.crv, x: jwk.x })
  const kid = await thumbprintOf(publicJwk)
  createFileOnce(join(folder, 'witness.pub.json'), `${JSON.stringify({ ...publicJwk, kid })}\n`)
  return { kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

function generateJwk(): JsonWebKey {
  const der = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  }).privateKey
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }).export({ format: 'jwk' })
}

/** Returns the private key in a file that only its owner may read. */
export function readPrivateJwk(path: string): JsonWebKey {
  const jwk = parseJson(readText(path), path) as JsonWebKey
  const { mode } = lstatSync(path)
  if ((mode & 0o077) !== 0) throw new CommandError(`Others may read ${path}. Run: chmod 600 ${path}`)
  if (typeof jwk.kty !== 'string' || typeof jwk.d !== 'string') throw new CommandError(`${path} holds no private JWK.`)
  return jwk
}

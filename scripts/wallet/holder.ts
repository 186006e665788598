import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as z from 'zod'
import { hasErrorCode, replaceFile } from '@/server/base/platform/files'

const jwk = z.record(z.string(), z.unknown())
const state = z.object({
  /** The wallet's private key, which credentials are bound to. */
  key: jwk,
  /** The test issuer's private key. */
  issuer_key: jwk,
  credentials: z.array(z.string()),
})

/** A key of the wallet. */
export interface WalletKey {
  readonly privateKey: Awaited<ReturnType<typeof importJWK>>
  readonly publicJwk: JWK
}

/** The wallet's keys and credentials, in a folder of its own. */
export interface Holder {
  readonly key: WalletKey
  readonly issuerKey: WalletKey
  readonly credentials: readonly string[]
  /** Stores another credential. */
  add(credential: string): void
}

const FILE = 'wallet.json'

/** Opens the wallet in a folder, or creates one. */
export async function openHolder(folder: string): Promise<Holder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, FILE)
  const kept = (await readState(file)) ?? { key: await newKey(), issuer_key: await newKey(), credentials: [] }
  const save = () => replaceFile(file, JSON.stringify(kept))
  save()
  return {
    key: await toKey(kept.key as JWK),
    issuerKey: await toKey(kept.issuer_key as JWK),
    credentials: kept.credentials,
    add: (credential) => {
      kept.credentials.push(credential)
      save()
    },
  }
}

async function readState(file: string): Promise<z.output<typeof state> | null> {
  try {
    return state.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

async function newKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return { ...(await exportJWK(privateKey)) }
}

async function toKey(key: JWK): Promise<WalletKey> {
  const { d: _private, ...publicJwk } = key
  return { privateKey: await importJWK(key, 'EdDSA'), publicJwk }
}

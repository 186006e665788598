import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  type Clock,
  type Database,
  type KeyPurpose,
  type Keyring,
  keyPurposes,
  type Queryable,
  type Sealer,
  type SigningKey,
} from '../../core/platform'
import type { Row } from '../../core/rows'
import { sql } from '../../core/sql'
import { parsePublicJwk } from '../../protocol/jwk'
import { importKey, thumbprintOf } from '../../protocol/key-import'
import { TRUST_MARK_TTL_SECONDS } from '../../protocol/lifetimes'
import { StartFailure } from '../start-failure'
import { sealedSigningKeys } from './reseal'

/** Published whenever a key changes state, so that every process reads the table again. */
export const SIGNING_KEYS_TOPIC = 'signing-keys'

const DAY_SECONDS = 86_400
/** The time after its retirement for which a key still verifies; without end where signatures serve as evidence. */
const retentionSeconds: Readonly<Record<KeyPurpose, number>> = {
  access_token: DAY_SECONDS,
  status_list: DAY_SECONDS,
  mandate: Number.POSITIVE_INFINITY,
  receipt: Number.POSITIVE_INFINITY,
  audit: Number.POSITIVE_INFINITY,
  // The status of a trust mark can be asked for after it expired.
  federation: Number.POSITIVE_INFINITY,
}

interface KeyringOptions {
  /** The time after its retirement for which a federation key is listed: the longest lifetime of its signatures. */
  readonly federationListedSeconds: number
}

type KeyState = 'next' | 'current' | 'retired'

type KeyRow = Readonly<
  Row<
    'SigningKey',
    'kid' | 'purpose' | 'state' | 'public_jwk' | 'sealed_private_key' | 'retired_at',
    { purpose: KeyPurpose; state: KeyState; public_jwk: Readonly<Record<string, string>> }
  >
>

interface LoadedKey extends Omit<KeyRow, 'public_jwk' | 'sealed_private_key'> {
  readonly jwk: Readonly<Record<string, string>>
  readonly publicKey: KeyObject
}

/**
 * Opens the signing keys that all processes share. Each purpose has a current key, which signs, and a next one, which
 * is published long before it signs, so that verifiers know it in time. Missing keys are created once, also by
 * processes that start together.
 */
export async function openKeyring(
  db: Database,
  sealer: Sealer,
  clock: Clock,
  options: KeyringOptions = { federationListedSeconds: TRUST_MARK_TTL_SECONDS },
): Promise<Keyring> {
  const keyring = new DatabaseKeyring(db, sealer, clock, options)
  await keyring.refresh()
  const isComplete = keyPurposes.every((purpose) => keyring.has(purpose, 'current') && keyring.has(purpose, 'next'))
  if (isComplete) return keyring
  for (const purpose of keyPurposes) {
    for (const state of ['current', 'next'] as const) {
      if (!keyring.has(purpose, state))
        await insertSigningKey(db, await newSigningKey(purpose, sealer), { state, at: clock.now() })
    }
  }
  await keyring.refresh()
  return keyring
}

/** Whether any process has opened a keyring on this database before. */
export async function hasSigningKeys(db: Queryable): Promise<boolean> {
  const [row] = await db.query(sql`SELECT 1 FROM signing_keys LIMIT 1`)
  return row !== undefined
}

interface NewSigningKey {
  readonly kid: string
  readonly purpose: KeyPurpose
  readonly publicJwk: Readonly<Record<string, string>>
  readonly sealedPrivateKey: string
}

/** Creates an Ed25519 key, whose private part is returned only sealed, with the kid as context. */
export async function newSigningKey(purpose: KeyPurpose, sealer: Sealer): Promise<NewSigningKey> {
  const pair = generateKeyPairSync('ed25519')
  const jwk = parsePublicJwk(pair.publicKey.export({ format: 'jwk' }))
  const kid = await thumbprintOf(jwk)
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  const publicJwk = { ...jwk, kid, use: 'sig', alg: 'EdDSA' }
  return { kid, purpose, publicJwk, sealedPrivateKey: sealer.seal(pkcs8, sealedSigningKeys.contextOf(kid)) }
}

/** Inserts a key, unless the purpose has one in that state already. */
export async function insertSigningKey(
  db: Queryable,
  key: NewSigningKey,
  { state, at }: { state: 'next' | 'current'; at: Date },
): Promise<void> {
  await db.query(
    sql`INSERT INTO signing_keys (kid, purpose, state, public_jwk, sealed_private_key, created_at, activated_at)
     VALUES (${key.kid}, ${key.purpose}, ${state}, ${JSON.stringify(key.publicJwk)}, ${key.sealedPrivateKey}, ${at}, ${state === 'current' ? at : null}) ON CONFLICT DO NOTHING`,
  )
}

class DatabaseKeyring implements Keyring {
  #keys: ReadonlyMap<string, LoadedKey> = new Map()
  #signing: ReadonlyMap<KeyPurpose, SigningKey> = new Map()

  constructor(
    private readonly db: Database,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly options: KeyringOptions,
  ) {}

  current(purpose: KeyPurpose): SigningKey {
    const key = this.#signing.get(purpose)
    if (!key) throw new Error(`There is no current ${purpose} key.`)
    return key
  }

  find(purpose: KeyPurpose, kid: string): KeyObject | undefined {
    const key = this.#keys.get(kid)
    const isNeeded = key?.purpose === purpose && this.#isWithin(key, retentionSeconds[purpose])
    return isNeeded ? key.publicKey : undefined
  }

  jwks(purpose?: KeyPurpose): readonly Readonly<Record<string, string>>[] {
    const keys = [...this.#keys.values()].filter((key) =>
      purpose === undefined ? key.purpose !== 'federation' : key.purpose === purpose,
    )
    return keys.filter((key) => this.#isWithin(key, this.#listedSeconds(key.purpose))).map((key) => key.jwk)
  }

  has(purpose: KeyPurpose, state: KeyState): boolean {
    return [...this.#keys.values()].some((key) => key.purpose === purpose && key.state === state)
  }

  async refresh(): Promise<void> {
    const rows = await this.db.query<KeyRow>(
      sql`SELECT kid, purpose, state, public_jwk, sealed_private_key, retired_at FROM signing_keys
       WHERE state IN ('next', 'current', 'retired') ORDER BY created_at, kid`,
    )
    const keys = await Promise.all(rows.map((row) => this.#loaded(row)))
    this.#keys = new Map(keys.map((key) => [key.kid, key]))
    const current = rows.filter((row) => row.state === 'current')
    this.#signing = new Map(current.map((row) => [row.purpose, this.#signingKey(row)]))
  }

  async #loaded(row: KeyRow): Promise<LoadedKey> {
    const known = this.#keys.get(row.kid)
    return known?.state === row.state ? known : load(row)
  }

  #signingKey(row: KeyRow): SigningKey {
    const known = this.#signing.get(row.purpose)
    if (known?.kid === row.kid) return known
    return { kid: row.kid, privateKey: this.#unseal(row) }
  }

  #unseal(row: KeyRow): KeyObject {
    try {
      const key = this.sealer.open(row.sealed_private_key, sealedSigningKeys.contextOf(row.kid))
      return createPrivateKey({ key, type: 'pkcs8', format: 'der' })
    } catch (cause) {
      const message = `The ${row.purpose} key ${row.kid} cannot be opened: KEY_ENCRYPTION_KEY is not the one it was sealed under. Give the server that one.`
      throw new StartFailure(message, { cause })
    }
  }

  #listedSeconds(purpose: KeyPurpose): number {
    return purpose === 'federation' ? this.options.federationListedSeconds : retentionSeconds[purpose]
  }

  /** Whether a key signs, will sign, or was retired less than so many seconds ago. */
  #isWithin(key: LoadedKey, seconds: number): boolean {
    if (key.state !== 'retired' || key.retired_at === null) return true
    return this.clock.now().getTime() < key.retired_at.getTime() + seconds * 1000
  }
}

async function load(row: KeyRow): Promise<LoadedKey> {
  const { public_jwk: jwk, sealed_private_key: _, ...rest } = row
  const { key: publicKey } = await importKey(parsePublicJwk(jwk))
  return { ...rest, jwk, publicKey }
}

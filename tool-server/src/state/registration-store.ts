import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { mintKey, type PrivateKeyJwk, privateKeyJwk } from '../crypto/keys.js'
import { CountersignError } from '../errors.js'
import { parseJson } from '../json.js'
import { listNames, sweepLeftovers } from './leftovers.js'
import { takeLock } from './lock.js'
import { createPrivate, ensureHome, readPrivate } from './private-files.js'

const CLIENT_FILE = 'client.json'
const LOCK_FILE = 'register.lock'
/** Longer than a registration may take. */
const REGISTRATION_WAIT_MS = 30_000

const registration = z.object({
  issuer: z.string(),
  client_id: z.string(),
  principal_id: z.string().optional(),
  registration_access_token: z.string().optional(),
  redirect_uris: z.array(z.string()),
  client_name: z.string().optional(),
  scope: z.string().optional(),
  registered_at: z.iso.datetime(),
})

/** This agent as one authorization server knows it. */
export type Registration = z.infer<typeof registration>

/** What a registration is for: paying, or looking after the wallet of the person. */
export type RegistrationKind = 'agent' | 'wallet'

/** The two keys of a registration. */
export interface AgentKeys {
  readonly dpopKey: PrivateKeyJwk
  readonly assertionKey: PrivateKeyJwk
}

/**
 * Registrations of one kind and their keys, one directory per authorization server, so that credentials never meet
 * another one. Those for wallets lie in the folder `wallet/` beside the files of the agent, with keys of their own.
 */
export class RegistrationStore {
  readonly #home: string
  readonly #kind: RegistrationKind

  constructor(home: string, kind: RegistrationKind = 'agent') {
    this.#home = home
    this.#kind = kind
  }

  /** The directory of one authorization server. */
  directory(issuer: string): string {
    return this.#directoryOf(createHash('sha256').update(issuer).digest('hex'))
  }

  /** The file of the registration at one authorization server. */
  file(issuer: string): string {
    return join(this.directory(issuer), CLIENT_FILE)
  }

  /** The registration at this authorization server, or null. */
  async find(issuer: string): Promise<Registration | null> {
    const found = await this.#read(this.file(issuer), registration)
    if (found !== null && found.issuer !== issuer) throw new CountersignError('the stored registration is damaged')
    return found
  }

  /** The registration made first, or null when there is none. */
  async first(): Promise<Registration | null> {
    const all = await Promise.all(
      (await this.#directories()).map((name) => this.#read(join(this.#directoryOf(name), CLIENT_FILE), registration)),
    )
    return firstOf(all)
  }

  /** The keys for this authorization server, minted when absent. */
  async ensureKeys(issuer: string): Promise<AgentKeys> {
    await ensureHome(this.#home)
    return {
      dpopKey: await this.#ensureKey(join(this.directory(issuer), 'dpop.key.json')),
      assertionKey: await this.#ensureKey(join(this.directory(issuer), 'assertion.key.json')),
    }
  }

  /** The keys of an existing registration. What a killed registration left beside them is removed. */
  async readKeys(issuer: string): Promise<AgentKeys> {
    await sweepLeftovers(this.directory(issuer), () => LOCK_FILE)
    const dpopKey = await this.#read(join(this.directory(issuer), 'dpop.key.json'), privateKeyJwk)
    const assertionKey = await this.#read(join(this.directory(issuer), 'assertion.key.json'), privateKeyJwk)
    if (dpopKey === null || assertionKey === null)
      throw new CountersignError('the keys of the registration are missing')
    return { dpopKey, assertionKey }
  }

  /** Keeps a registration; tells whether it did, since one that exists is never replaced. */
  async save(made: Registration): Promise<boolean> {
    await ensureHome(this.#home)
    return createPrivate(this.file(made.issuer), `${JSON.stringify(made, null, 2)}\n`)
  }

  /** Registers at most once at a time, across processes: what it does is done while nobody else does it. */
  async exclusively<T>(issuer: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await ensureHome(this.#home)
    await sweepLeftovers(this.directory(issuer), () => LOCK_FILE)
    const until = Date.now() + REGISTRATION_WAIT_MS
    const lock = await takeLock(join(this.directory(issuer), LOCK_FILE), { signal, until })
    if (lock === null) throw new CountersignError('another registration is under way')
    try {
      return await work()
    } finally {
      await lock.release()
    }
  }

  #directoryOf(name: string): string {
    const directory = join(this.#home, 'registrations', name)
    return this.#kind === 'agent' ? directory : join(directory, 'wallet')
  }

  async #ensureKey(path: string): Promise<PrivateKeyJwk> {
    const existing = await this.#read(path, privateKeyJwk)
    if (existing !== null) return existing
    await createPrivate(path, `${JSON.stringify(mintKey())}\n`)
    // Another process may have been quicker: the key on disk is the key.
    const key = await this.#read(path, privateKeyJwk)
    if (key === null) throw new CountersignError(`${path} cannot be read back`)
    return key
  }

  async #read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    const text = await readPrivate(path)
    if (text === null) return null
    const parsed = schema.safeParse(parseJson(text))
    if (!parsed.success) throw new CountersignError(`${path} is damaged`, 'Delete the directory and register again.')
    return parsed.data
  }

  async #directories(): Promise<string[]> {
    return (await listNames(join(this.#home, 'registrations'))).filter((name) => /^[0-9a-f]{64}$/.test(name))
  }
}

/** The one that was made first, of those that exist. */
export function firstOf(all: readonly (Registration | null)[]): Registration | null {
  const made = all.filter((found) => found !== null)
  return made.toSorted((a, b) => a.registered_at.localeCompare(b.registered_at))[0] ?? null
}

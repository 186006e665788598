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
/** The longest wait for another registration: longer than one may take. */
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

/** The registration of this agent at one authorization server. */
export type Registration = z.infer<typeof registration>

/** The purpose of a registration: paying, or managing the person's wallet. */
export type RegistrationKind = 'agent' | 'wallet'

/** The two keys of a registration. */
export interface AgentKeys {
  readonly dpopKey: PrivateKeyJwk
  readonly assertionKey: PrivateKeyJwk
}

/**
 * Registrations of one kind and their keys, in one directory per authorization server, so that no credential is sent to
 * another server. Those for wallets are in the folder `wallet/` beside the files of the agent, with keys of their own.
 */
export class RegistrationStore {
  readonly #home: string
  readonly #kind: RegistrationKind

  constructor(home: string, kind: RegistrationKind = 'agent') {
    this.#home = home
    this.#kind = kind
  }

  /** Returns the directory of one authorization server. */
  directory(issuer: string): string {
    return this.#directoryOf(createHash('sha256').update(issuer).digest('hex'))
  }

  /** Returns the file of the registration at one authorization server. */
  file(issuer: string): string {
    return join(this.directory(issuer), CLIENT_FILE)
  }

  /** Returns the registration at this authorization server, or null. */
  async find(issuer: string): Promise<Registration | null> {
    const found = await this.#read(this.file(issuer), registration)
    if (found !== null && found.issuer !== issuer) throw new CountersignError('the stored registration is damaged')
    return found
  }

  /** Returns the earliest registration, or null when there is none. */
  async first(): Promise<Registration | null> {
    const all = await Promise.all(
      (await this.#directories()).map((name) => this.#read(join(this.#directoryOf(name), CLIENT_FILE), registration)),
    )
    return firstOf(all)
  }

  /** Returns the keys for this authorization server, created when absent. */
  async ensureKeys(issuer: string): Promise<AgentKeys> {
    await ensureHome(this.#home)
    return {
      dpopKey: await this.#ensureKey(join(this.directory(issuer), 'dpop.key.json')),
      assertionKey: await this.#ensureKey(join(this.directory(issuer), 'assertion.key.json')),
    }
  }

  /** Returns the keys of an existing registration, and removes files of a killed registration beside them. */
  async readKeys(issuer: string): Promise<AgentKeys> {
    await sweepLeftovers(this.directory(issuer), () => LOCK_FILE)
    const dpopKey = await this.#read(join(this.directory(issuer), 'dpop.key.json'), privateKeyJwk)
    const assertionKey = await this.#read(join(this.directory(issuer), 'assertion.key.json'), privateKeyJwk)
    if (dpopKey === null || assertionKey === null)
      throw new CountersignError('the keys of the registration are missing')
    return { dpopKey, assertionKey }
  }

  /** Saves a registration unless one exists, which is never replaced; returns whether it was saved. */
  async save(made: Registration): Promise<boolean> {
    await ensureHome(this.#home)
    return createPrivate(this.file(made.issuer), `${JSON.stringify(made, null, 2)}\n`)
  }

  /** Runs a registration while no other process registers. */
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
    // Another process may have created it first; the key on disk counts.
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

/** Returns the earliest of the registrations that exist. */
export function firstOf(all: readonly (Registration | null)[]): Registration | null {
  const made = all.filter((found) => found !== null)
  return made.toSorted((a, b) => a.registered_at.localeCompare(b.registered_at))[0] ?? null
}

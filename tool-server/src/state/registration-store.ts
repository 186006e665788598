import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { mintKey, type PrivateKeyJwk, privateKeyJwk } from '../crypto/keys.js'
import { CountersignError } from '../errors.js'
import { parseJson } from '../json.js'
import { createPrivate, ensureHome, hasCode, readPrivate, writePrivate } from './private-files.js'

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

/** The two keys of a registration. */
export interface AgentKeys {
  readonly dpopKey: PrivateKeyJwk
  readonly assertionKey: PrivateKeyJwk
}

/** Registrations and keys, one directory per authorization server, so that credentials never meet another one. */
export class RegistrationStore {
  readonly #home: string

  constructor(home: string) {
    this.#home = home
  }

  /** The directory of one authorization server. */
  directory(issuer: string): string {
    return join(this.#home, 'registrations', createHash('sha256').update(issuer).digest('hex'))
  }

  /** The registration at this authorization server, or null. */
  async find(issuer: string): Promise<Registration | null> {
    const found = await this.#read(join(this.directory(issuer), 'client.json'), registration)
    if (found !== null && found.issuer !== issuer) throw new CountersignError('the stored registration is damaged')
    return found
  }

  /** The registration made last, or null when there is none. */
  async newest(): Promise<Registration | null> {
    const all = await Promise.all(
      (await this.#directories()).map((name) =>
        this.#read(join(this.#home, 'registrations', name, 'client.json'), registration),
      ),
    )
    const sorted = all
      .filter((found) => found !== null)
      .toSorted((a, b) => b.registered_at.localeCompare(a.registered_at))
    return sorted[0] ?? null
  }

  /** The keys for this authorization server, minted when absent. */
  async ensureKeys(issuer: string): Promise<AgentKeys> {
    await ensureHome(this.#home)
    return {
      dpopKey: await this.#ensureKey(join(this.directory(issuer), 'dpop.key.json')),
      assertionKey: await this.#ensureKey(join(this.directory(issuer), 'assertion.key.json')),
    }
  }

  /** The keys of an existing registration. */
  async readKeys(issuer: string): Promise<AgentKeys> {
    const dpopKey = await this.#read(join(this.directory(issuer), 'dpop.key.json'), privateKeyJwk)
    const assertionKey = await this.#read(join(this.directory(issuer), 'assertion.key.json'), privateKeyJwk)
    if (dpopKey === null || assertionKey === null)
      throw new CountersignError('the keys of the registration are missing')
    return { dpopKey, assertionKey }
  }

  /** Keeps the registration in place of an earlier one at the same authorization server. */
  async save(found: Registration): Promise<void> {
    await ensureHome(this.#home)
    await writePrivate(join(this.directory(found.issuer), 'client.json'), `${JSON.stringify(found, null, 2)}\n`)
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
    try {
      return (await readdir(join(this.#home, 'registrations'))).filter((name) => /^[0-9a-f]{64}$/.test(name))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return []
      throw error
    }
  }
}

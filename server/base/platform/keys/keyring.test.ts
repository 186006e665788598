import { sign, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { type Clock, keyPurposes } from '../../core/platform'
import { sql } from '../../core/sql'
import { thumbprintOf } from '../../protocol/key-import'
import { createMemoryCache } from '../cache/memory'
import type { OpenDatabase } from '../database/client'
import { systemRandomness } from '../random'
import { openKeyring, SIGNING_KEYS_TOPIC } from './keyring'
import { rotateSigningKeys } from './rotate-signing-keys'
import { createSealer } from './sealer'

const sealer = createSealer([Buffer.alloc(32, 1)], systemRandomness)
const cache = createMemoryCache()
let db: OpenDatabase
let now: Date
const clock: Clock = { now: () => now }
const later = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000)
}

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00Z')
  await db.query(sql`DELETE FROM signing_keys`)
})

describe('opening', () => {
  test('the keyring makes a current and a next key per purpose, and finds them again', async () => {
    const first = await openKeyring(db, sealer, clock)
    const second = await openKeyring(db, sealer, clock)
    expect(first.jwks()).toHaveLength(2 * (keyPurposes.length - 1))
    expect(first.jwks('federation')).toHaveLength(2)
    expect(second.jwks()).toEqual(first.jwks())
    for (const purpose of keyPurposes) expect(second.current(purpose).kid).toBe(first.current(purpose).kid)
  })

  test('two processes that start at once on an empty table share their keys', async () => {
    const keyrings = await Promise.all([1, 2, 3, 4].map(() => openKeyring(db, sealer, clock)))
    const rows = await db.query(sql`SELECT kid FROM signing_keys`)
    expect(rows).toHaveLength(2 * keyPurposes.length)
    for (const purpose of keyPurposes) {
      expect(new Set(keyrings.map((keyring) => keyring.current(purpose).kid)).size).toBe(1)
    }
  })

  test('the keyring publishes Ed25519 JWKs named by their thumbprint', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    for (const jwk of keyring.jwks()) {
      expect(Object.keys(jwk).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
      expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' })
      expect(jwk['kid']).toBe(await thumbprintOf({ kty: 'OKP', crv: 'Ed25519', x: jwk['x'] ?? '' }))
    }
  })

  test('the keyring stores private keys sealed, each bound to its kid', async () => {
    await openKeyring(db, sealer, clock)
    await db.query(
      sql`UPDATE signing_keys SET sealed_private_key =
         (SELECT sealed_private_key FROM signing_keys WHERE purpose = 'audit' AND state = 'current')`,
    )
    await expect(openKeyring(db, sealer, clock)).rejects.toThrow(/cannot be opened/)
  })

  test('the keyring fails to open under another key encryption key, with words that say so', async () => {
    await openKeyring(db, sealer, clock)
    const other = createSealer([Buffer.alloc(32, 2)], systemRandomness)
    await expect(openKeyring(db, other, clock)).rejects.toThrow(/KEY_ENCRYPTION_KEY is not the one/)
  })
})

describe('finding', () => {
  test('the keyring verifies what the current key of the purpose signed, and knows it for no other purpose', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    const { kid, privateKey } = keyring.current('mandate')
    const signature = sign(null, Buffer.from('data'), privateKey)
    const publicKey = keyring.find('mandate', kid)
    expect(publicKey && verify(null, Buffer.from('data'), publicKey, signature)).toBe(true)
    expect(keyring.find('access_token', kid)).toBeUndefined()
    expect(keyring.find('mandate', 'unknown')).toBeUndefined()
  })

  test('a blocked key stops verifying and leaves the set with the next refresh', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    const { kid } = keyring.current('mandate')
    await db.query(sql`UPDATE signing_keys SET state = 'blocked' WHERE kid = ${kid}`)
    await keyring.refresh()
    expect(keyring.find('mandate', kid)).toBeUndefined()
    expect(keyring.jwks().some((jwk) => jwk['kid'] === kid)).toBe(false)
    expect(() => keyring.current('mandate')).toThrow('no current mandate key')
  })
})

describe('federation keys', () => {
  test('B5 the keyring lists federation keys apart from all others', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    const kid = keyring.current('federation').kid
    expect(keyring.jwks('federation').map((jwk) => jwk['kid'])).toContain(kid)
    expect(keyring.jwks().map((jwk) => jwk['kid'])).not.toContain(kid)
  })

  test('B5 a retired federation key is listed while a statement that it signed lives, and verifies for good', async () => {
    const keyring = await openKeyring(db, sealer, clock, { federationListedSeconds: 100_000 })
    const { kid } = keyring.current('federation')
    const isListed = () => keyring.jwks('federation').some((jwk) => jwk['kid'] === kid)
    await rotateSigningKeys({ db, sealer, clock, cache })
    await keyring.refresh()
    later(99_999)
    expect(isListed()).toBe(true)
    later(1)
    expect(isListed()).toBe(false)
    expect(keyring.find('federation', kid)).toBeDefined()
  })
})

describe('rotating', () => {
  test('the next key, long published, becomes current in a rotation, and the old one keeps verifying', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    const published = keyring.jwks().map((jwk) => jwk['kid'])
    const before = keyring.current('access_token').kid
    const rotated = await rotateSigningKeys({ db, sealer, clock, cache })
    expect(rotated.map((key) => key.purpose)).toEqual([...keyPurposes])
    await keyring.refresh()
    const after = keyring.current('access_token').kid
    expect(after).not.toBe(before)
    expect(published).toContain(after)
    expect(keyring.find('access_token', before)).toBeDefined()
    expect(keyring.jwks()).toHaveLength(3 * (keyPurposes.length - 1))
    expect(keyring.jwks('federation')).toHaveLength(3)
  })

  test('a retired key leaves when nothing it signed can be alive; evidence stays verifiable', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    const token = keyring.current('access_token').kid
    const receipt = keyring.current('receipt').kid
    await rotateSigningKeys({ db, sealer, clock, cache })
    await keyring.refresh()
    later(86_399)
    expect(keyring.find('access_token', token)).toBeDefined()
    later(1)
    expect(keyring.find('access_token', token)).toBeUndefined()
    expect(keyring.jwks().some((jwk) => jwk['kid'] === token)).toBe(false)
    later(10 * 365 * 86_400)
    expect(keyring.find('receipt', receipt)).toBeDefined()
  })

  test('a rotation notifies the other processes', async () => {
    await openKeyring(db, sealer, clock)
    let told = 0
    const leave = cache.subscribe(SIGNING_KEYS_TOPIC, () => {
      told += 1
    })
    await rotateSigningKeys({ db, sealer, clock, cache }, ['audit'])
    leave()
    expect(told).toBe(1)
    const rows = await db.query<{ purpose: string }>(sql`SELECT purpose FROM signing_keys WHERE state = 'retired'`)
    expect(rows).toEqual([{ purpose: 'audit' }])
  })

  test('two rotations at once leave one current and one next key', async () => {
    const keyring = await openKeyring(db, sealer, clock)
    await Promise.allSettled([1, 2].map(() => rotateSigningKeys({ db, sealer, clock, cache }, ['audit'])))
    await keyring.refresh()
    const rows = await db.query<{ state: string }>(
      sql`SELECT state FROM signing_keys WHERE purpose = 'audit' AND state <> 'retired' ORDER BY state`,
    )
    expect(rows.map((row) => row.state)).toEqual(['current', 'next'])
  })
})

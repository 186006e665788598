import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { compactVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { decodeJws } from './eddsa'
import { encodeBase64url } from './encoding'
import { CLIENT_ALGORITHMS, signDocument, verifyDocument, verifyJws } from './jws'
import { ed25519Key, laterCodeOf, p256Key, rawJws } from './test-support'

const ed25519 = ed25519Key()
const p256 = p256Key()
const check = (compact: string, key: KeyObject, algorithms = CLIENT_ALGORITHMS) =>
  laterCodeOf(() => verifyJws(decodeJws(compact), { key, algorithms }))

describe('the signature of a client', () => {
  test.each([
    ['EdDSA', ed25519],
    ['Ed25519', ed25519],
    ['ES256', p256],
  ])('the signature of a client made by jose verifies: %s', async (alg, key) => {
    const compact = await new SignJWT({ a: 1 }).setProtectedHeader({ alg, kid: 'k' }).sign(key.privateKey)
    expect(decodeJws(compact)).toMatchObject({ header: { alg, kid: 'k' }, payload: { a: 1 } })
    expect(await check(compact, key.publicKey)).toBe('accepted')
  })

  test('the signature of a client with RS256 verifies only where the list says so, and with 2048 bits or more', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const compact = await new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    expect(await check(compact, publicKey)).toBe('invalid_signature')
    expect(await check(compact, publicKey, [...CLIENT_ALGORITHMS, 'RS256'])).toBe('accepted')
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    expect(await check(compact, short, ['RS256'])).toBe('invalid_signature')
    expect(await check(compact, ed25519.publicKey, ['RS256'])).toBe('invalid_signature')
  })

  const [header, payload] = rawJws({ alg: 'ES256' }, {}, p256).split('.')
  test.each([
    ['alg none', rawJws({ alg: 'none' }, {}, p256)],
    ['HS256', rawJws({ alg: 'HS256' }, {}, p256)],
    ['ES384', rawJws({ alg: 'ES384' }, {}, p256)],
    ['a lower-case alg', rawJws({ alg: 'es256' }, {}, p256)],
    ['EdDSA', rawJws({ alg: 'EdDSA' }, {}, p256)],
    ['another key', rawJws({ alg: 'ES256' }, {}, p256Key())],
    ['a signature in DER', `${header}.${payload}.${encodeBase64url(Buffer.alloc(70, 1))}`],
    ['zeros', `${header}.${payload}.${encodeBase64url(Buffer.alloc(64))}`],
  ])('the signature of a client is refused under a P-256 key: %s', async (_name, compact) => {
    expect(await check(compact, p256.publicKey)).toBe('invalid_signature')
  })

  test('the signature of a client is refused under a key of another type or curve, and under a private key', async () => {
    const compact = rawJws({ alg: 'ES256' }, {}, p256)
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
    for (const key of [p384, ed25519.publicKey, p256.privateKey]) {
      expect(await check(compact, key)).toBe('invalid_signature')
    }
  })
})

describe('a document', () => {
  const typ = 'payment-receipt+jwt'
  const findKey = (kid: string) => (kid === ed25519.kid ? ed25519.publicKey : undefined)
  const expected = { name: 'receipt', typ, findKey }
  const headerOf = (more: object = {}) => ({ alg: 'EdDSA', typ, kid: ed25519.kid, ...more })

  test('a document is signed with EdDSA under its type and verifies, with jose as well', async () => {
    const compact = await signDocument({ typ, payload: { sub: 'ü' }, key: ed25519 })
    const { protectedHeader } = await compactVerify(compact, ed25519.publicKey)
    expect(protectedHeader).toEqual(headerOf())
    expect(await verifyDocument(compact, expected)).toEqual({ kid: ed25519.kid, payload: { sub: 'ü' } })
  })

  test('a document may be verified with a key that has to be looked up', async () => {
    const compact = await signDocument({ typ, payload: {}, key: ed25519 })
    const later = { ...expected, findKey: async (kid: string) => findKey(kid) }
    expect(await verifyDocument(compact, later)).toMatchObject({ payload: {} })
  })

  test.each([
    ['another type', rawJws(headerOf({ typ: 'JWT' }), {}, ed25519), 'invalid_signature'],
    ['the long form of its type', rawJws(headerOf({ typ: `application/${typ}` }), {}, ed25519), 'invalid_signature'],
    ['an unknown key', rawJws(headerOf({ kid: 'x' }), {}, ed25519), 'invalid_signature'],
    ['no kid', rawJws({ alg: 'EdDSA', typ }, {}, ed25519), 'invalid_signature'],
    ['alg none', rawJws(headerOf({ alg: 'none' }), {}, ed25519), 'invalid_signature'],
    ['ES256', rawJws(headerOf({ alg: 'ES256' }), {}, p256), 'invalid_signature'],
    ['another signature', rawJws(headerOf(), {}, ed25519Key()), 'invalid_signature'],
    ['padding', `${rawJws(headerOf(), {}, ed25519)}==`, 'malformed'],
    ['an array', rawJws(headerOf(), [], ed25519), 'malformed'],
  ])('a document is refused with %s', async (_name, compact, code) => {
    expect(await laterCodeOf(() => verifyDocument(compact, expected))).toBe(code)
  })
})

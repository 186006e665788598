import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import sodium from 'sodium-native'
import { describe, expect, test } from 'vitest'
import { type VerifyEd25519, verifyWith, verifyWithNode } from './ed25519'
import { cases } from './ed25519.vectors.json'
import { ed25519Key } from './test-support'

const verifyWithSodium = verifyWith(sodium)
const verifiers: [string, VerifyEd25519][] = [
  ['node:crypto', verifyWithNode],
  ['libsodium', verifyWithSodium],
]

const keyOf = (point: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(point, 'hex').toString('base64url') },
    format: 'jwk',
  })

describe.each(verifiers)('Ed25519 by %s', (_name, verify) => {
  /** RFC 8032 section 7.1, test 3. */
  test('the signature of RFC 8032 verifies', () => {
    const key = keyOf('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025')
    const signature = Buffer.from(
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
      'hex',
    )
    expect(verify(Buffer.from('af82', 'hex'), key, signature)).toBe(true)
    expect(verify(Buffer.from('af83', 'hex'), key, signature)).toBe(false)
  })

  test.each(cases.map((one, at) => [one.name, at === 3, one] as const))(
    'the cases in which verifiers differ: %s: %s',
    (_case, isValid, one) => {
      const [message, signature] = [Buffer.from(one.message, 'hex'), Buffer.from(one.signature, 'hex')]
      expect(verify(message, keyOf(one.pub_key), signature)).toBe(isValid)
    },
  )

  test('a signature of another length is refused', () => {
    const { privateKey, publicKey } = ed25519Key()
    const signature = sign(null, Buffer.from('text'), privateKey)
    for (const wrong of [Buffer.alloc(0), signature.subarray(1), Buffer.concat([signature, Buffer.alloc(1)])]) {
      expect(verify(Buffer.from('text'), publicKey, wrong)).toBe(false)
    }
  })
})

const GROUP_ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n
const readScalar = (bytes: Buffer): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const writeScalar = (scalar: bigint): Buffer => Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()

/** Makes a signature with the neutral element as commitment, for which the verification equation holds. */
function withNeutralCommitment(message: Buffer, key: { privateKey: KeyObject; publicKey: KeyObject }): Buffer {
  const sha512 = (...parts: Buffer[]) => createHash('sha512').update(Buffer.concat(parts)).digest()
  const { d = '', x = '' } = key.privateKey.export({ format: 'jwk' })
  const secret = sha512(Buffer.from(d, 'base64url')).subarray(0, 32)
  secret[0] = (secret[0] ?? 0) & 248
  secret[31] = ((secret[31] ?? 0) & 63) | 64
  const neutral = writeScalar(1n)
  const challenge = readScalar(sha512(neutral, Buffer.from(x, 'base64url'), message))
  return Buffer.concat([neutral, writeScalar((challenge * readScalar(secret)) % GROUP_ORDER)])
}

type Change = (signature: Buffer, message: Buffer) => Buffer
const flip =
  (bit: number): Change =>
  (signature) => {
    const changed = Buffer.from(signature)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return changed
  }
const holder = ed25519Key()
const stranger = ed25519Key()
const changes = fc.oneof(
  fc.constant<Change>((signature) => signature),
  fc.nat(511).map(flip),
  fc.constantFrom<Change>(
    (signature) =>
      Buffer.concat([signature.subarray(0, 32), writeScalar(readScalar(signature.subarray(32)) + GROUP_ORDER)]),
    (_, message) => sign(null, message, stranger.privateKey),
    (_, message) => withNeutralCommitment(message, holder),
    () => Buffer.alloc(64),
  ),
)

test('node:crypto and libsodium accept the same signatures, and some', () => {
  const seen = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), changes, (bytes, change) => {
      const message = Buffer.from(bytes)
      const signature = change(sign(null, message, holder.privateKey), message)
      const isValid = verifyWithNode(message, holder.publicKey, signature)
      expect(verifyWithSodium(message, holder.publicKey, signature)).toBe(isValid)
      seen[isValid ? 'accepted' : 'refused'] += 1
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100)
})

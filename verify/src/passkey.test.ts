import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findAssertionFault } from './passkey.ts'

const ORIGIN = 'https://pay.example'
const CHALLENGE = 'challenge'
const b64 = (data: Uint8Array | string) => Buffer.from(data).toString('base64url')

/** Encodes a map of integers to integers and byte strings as CBOR. */
function cbor(entries: readonly (readonly [number, number | Buffer])[]): Buffer {
  const head = (major: number, value: number) => {
    if (value < 24) return Buffer.from([major * 32 + value])
    return value < 256 ? Buffer.from([major * 32 + 24, value]) : Buffer.from([major * 32 + 25, value >> 8, value & 255])
  }
  const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
  const item = (value: number | Buffer) =>
    typeof value === 'number' ? integer(value) : Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([label, value]) => [integer(label), item(value)])])
}

const bytesOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')

interface Authenticator {
  readonly cose: Buffer
  readonly privateKey: KeyObject
  readonly hash: string | null
}

function es256(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  return {
    cose: cbor([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ]),
    privateKey,
    hash: 'sha256',
  }
}

function eddsa(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    cose: cbor([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytesOf(publicKey.export({ format: 'jwk' }).x)],
    ]),
    privateKey,
    hash: null,
  }
}

function rs256(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const { n, e } = publicKey.export({ format: 'jwk' })
  return {
    cose: cbor([
      [1, 3],
      [3, -257],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ]),
    privateKey,
    hash: 'sha256',
  }
}

interface Changes {
  readonly client?: Record<string, unknown>
  readonly flags?: number
  readonly host?: string
}

function assert(
  { cose, privateKey, hash }: Authenticator,
  { client = {}, flags = 5, host = 'pay.example' }: Changes = {},
) {
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge: CHALLENGE, origin: ORIGIN, ...client })
  const data = Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags, 0, 0, 0, 1])])
  const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
  return {
    authenticatorData: b64(data),
    clientDataJson: b64(clientData),
    signature: b64(sign(hash, signed, privateKey)),
    publicKey: b64(cose),
    challenge: CHALLENGE,
    origin: ORIGIN,
  }
}

describe('the signature of a passkey', () => {
  test.each([
    ['ES256', es256],
    ['EdDSA', eddsa],
    ['RS256', rs256],
  ])('%s is verified, and an altered one is not', async (_name, make) => {
    // Short integers in ECDSA signatures are padded, which happens in some of many signatures.
    const authenticator = make()
    for (let round = 0; round < 20; round += 1) expect(await findAssertionFault(assert(authenticator))).toBeNull()
    const other = { ...assert(authenticator), publicKey: b64(make().cose) }
    expect(await findAssertionFault(other)).toBe('the signature does not match')
  })

  const key = es256()
  const right = assert(key)
  test.each([
    ['another challenge', assert(key, { client: { challenge: 'x' } }), 'it was made for another challenge'],
    ['another origin', assert(key, { client: { origin: 'https://evil.example' } }), 'it was made for another site'],
    ['another host', assert(key, { host: 'evil.example' }), 'it was made for another site'],
    ['a registration', assert(key, { client: { type: 'webauthn.create' } }), 'it is no sign of approval'],
    ['nobody verified', assert(key, { flags: 1 }), 'the authenticator did not verify the person'],
    ['nobody present', assert(key, { flags: 4 }), 'the authenticator did not verify the person'],
    ['no COSE key', { ...right, publicKey: 'AAAA' }, 'it is malformed'],
    [
      'an unknown algorithm',
      {
        ...right,
        publicKey: b64(
          cbor([
            [1, 2],
            [3, -35],
          ]),
        ),
      },
      'it is malformed',
    ],
    [
      'something after the key',
      { ...right, publicKey: b64(Buffer.concat([key.cose, Buffer.from([0])])) },
      'it is malformed',
    ],
    ['a signature that is not DER', { ...right, signature: b64(Buffer.alloc(64, 1)) }, 'it is malformed'],
    ['padding', { ...right, signature: `${right.signature}=` }, 'it is malformed'],
  ])('%s is noticed', async (_name, assertion, fault) => {
    expect(await findAssertionFault(assertion)).toBe(fault)
  })
})

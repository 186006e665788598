/**
 * Compares our Ed25519 verifier with jose's over generated tokens: they differ only in the cases that are named here.
 */
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { compactVerify, importJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { decodeJws, signEddsa, verifyEddsa } from './eddsa'
import { encodeBase64url, isJsonObject, parseJsonObject } from './encoding'
import { parsePublicJwk } from './jwk'
import { importKey } from './key-import'
import { JWT_MAX_BYTES, KID_MAX_CHARS } from './lifetimes'
import { codeOf, ed25519Key, laterCodeOf, p256Key, signBytes } from './test-support'

const key = ed25519Key()
const other = ed25519Key()
const p256 = p256Key()
const RUNS = 3_000

const acceptedHere = (token: string): boolean =>
  codeOf(() => verifyEddsa(decodeJws(token), { key: key.publicKey })) === 'accepted'
const acceptedByJose = (token: string, publicKey: Parameters<typeof compactVerify>[1] = key.publicKey) =>
  compactVerify(token, publicKey, { algorithms: ['EdDSA'] }).then(
    () => true,
    () => false,
  )

type Encode = (bytes: Buffer) => string
const canonical: Encode = (bytes) => bytes.toString('base64url')
const padded: Encode = (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
const spaced: Encode = (bytes) => ` ${canonical(bytes)}`
const standardAlphabet: Encode = (bytes) => bytes.toString('base64').replaceAll('=', '')
/** Sets unused bits after the last byte. */
const withStrayBits: Encode = (bytes) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const text = canonical(bytes)
  const last = alphabet.indexOf(text.at(-1) ?? 'A')
  return bytes.length % 3 === 0 ? text : text.slice(0, -1) + (alphabet[last + 1] ?? '_')
}
const encodings = fc.oneof(
  { weight: 12, arbitrary: fc.constant(canonical) },
  fc.constantFrom(padded, spaced, standardAlphabet, withStrayBits),
)

interface Parts {
  readonly header: string | Buffer
  readonly payload: string | Buffer
  readonly encodeHeader?: Encode
  readonly encodePayload?: Encode
  readonly encodeSignature?: Encode
  readonly sign?: (signingInput: Buffer) => Buffer
}

const byKey = (signingInput: Buffer) => signBytes(signingInput, key.privateKey)

/** Signs a token, however unusual its parts are. */
function assemble(parts: Parts): string {
  const { encodeHeader = canonical, encodePayload = canonical, encodeSignature = canonical, sign = byKey } = parts
  const signingInput = `${encodeHeader(Buffer.from(parts.header))}.${encodePayload(Buffer.from(parts.payload))}`
  return `${signingInput}.${encodeSignature(sign(Buffer.from(signingInput)))}`
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
const headerOf = (more: object) => JSON.stringify({ alg: 'EdDSA', ...more })
const GOOD_HEADER = headerOf({ typ: 'at+jwt', kid: key.kid })
const GOOD_PAYLOAD = '{"sub":"a"}'

const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant<string | Buffer>(GOOD_HEADER) },
  fc
    .constantFrom('none', 'HS256', 'ES256', 'RS256', 'Ed25519', 'eddsa', 'EdDSA ', '', 1, null)
    .map((alg) => headerOf({ alg })),
  fc
    .constantFrom<unknown>([], ['b64'], ['exp'], ['b64', 'b64'], 'b64', null)
    .chain((crit) =>
      fc.constantFrom<object>({}, { b64: true }, { b64: false }, { exp: 1 }).map((more) => headerOf({ crit, ...more })),
    ),
  fc.constantFrom<unknown>(true, false, 'x', null).map((b64) => headerOf({ b64 })),
  fc.constantFrom<unknown>('JWT', '', 1, null, []).map((typ) => headerOf({ typ })),
  fc.constantFrom<unknown>('', 'k'.repeat(256), 'k'.repeat(257), 1, null).map((kid) => headerOf({ kid })),
  fc.jsonValue({ maxDepth: 4 }).map((extra) => headerOf({ extra })),
  fc.constantFrom<string | Buffer>(
    '{"alg":"none","alg":"EdDSA"}',
    '{"alg":"EdDSA","alg":"none"}',
    '{"alg":"EdDSA","__proto__":{"alg":"none"}}',
    '{"__proto__":{"alg":"EdDSA"}}',
    '{"\\u0061lg":"EdDSA"}',
    '{"alg":"EdDSA","x":12345678901234567890}',
    '{"alg":"EdDSA","x":"\\ud800"}',
    `\ufeff${GOOD_HEADER}`,
    ` ${GOOD_HEADER}\n`,
    headerOf({ x: nested(70) }),
    '',
    'null',
    '[]',
    '"EdDSA"',
    'EdDSA',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ),
)

const payloads = fc.oneof(
  { weight: 6, arbitrary: fc.constant<string | Buffer>(GOOD_PAYLOAD) },
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((claims) => JSON.stringify(claims)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    '',
    '[]',
    'null',
    '{"a":1e400}',
    '{"a":0.1}',
    '{"a":1,"a":2}',
    JSON.stringify({ a: 'x'.repeat(8_192) }),
  ),
)

/** The order of the base point; added to the scalar of a signature it gives a second form of it. */
const GROUP_ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n
function withLargeScalar(signature: Buffer): Buffer {
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + GROUP_ORDER
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), bytes])
}

const signers = fc.oneof(
  { weight: 6, arbitrary: fc.constant(byKey) },
  fc.constantFrom<(data: Buffer) => Buffer>(
    (data) => signBytes(data, other.privateKey),
    (data) => signBytes(data, p256.privateKey),
    (data) => signBytes(Buffer.concat([data, Buffer.from(' ')]), key.privateKey),
    (data) => withLargeScalar(byKey(data)),
    (data) => byKey(data).subarray(1),
    (data) => Buffer.concat([byKey(data), Buffer.from([0])]),
    () => Buffer.alloc(0),
    () => Buffer.alloc(64),
  ),
  fc.nat(511).map((bit) => (data: Buffer) => {
    const signature = byKey(data)
    signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return signature
  }),
)

const place = fc.nat(400)
const edits = fc.oneof(
  { weight: 6, arbitrary: fc.constant((token: string) => token) },
  fc.tuple(place, fc.constantFrom('.', 'A', '=', ' ', '\n', '+', '~', 'é')).map(
    ([at, added]) =>
      (token: string) =>
        token.slice(0, at % (token.length + 1)) + added + token.slice(at % (token.length + 1)),
  ),
  place.map((at) => (token: string) => token.slice(0, at % token.length) + token.slice((at % token.length) + 1)),
  fc.constantFrom<(token: string) => string>(
    (token) => `${token}.`,
    (token) => `.${token}`,
    (token) => `${token}==`,
    (token) => token.slice(0, token.lastIndexOf('.') + 1),
    (token) => token.slice(0, token.lastIndexOf('.')),
    (token) => token.toLowerCase(),
    (token) => token.replace('.', '..'),
  ),
)

const tokens = fc
  .tuple(
    fc.record({
      header: headers,
      payload: payloads,
      sign: signers,
      encodeHeader: encodings,
      encodePayload: encodings,
      encodeSignature: encodings,
    }),
    edits,
  )
  .map(([parts, edit]) => edit(assemble(parts)))

const bytesOf = (segment = '') => Buffer.from(segment, 'base64url')
const parsed = (segment = ''): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(segment)))
  } catch {
    return undefined
  }
}
const isIJson = (segment = '') => codeOf(() => parseJsonObject(bytesOf(segment))) === 'accepted'
const headerIn = (token: string): Record<string, unknown> => {
  const header = parsed(token.split('.')[0])
  return isJsonObject(header) ? header : {}
}
const isText = (value: unknown, most = Number.POSITIVE_INFINITY) =>
  value === undefined || (typeof value === 'string' && value.length <= most)

/** The tokens that we refuse and jose accepts, with the reasons. */
const STRICTER: readonly { reason: string; holds: (token: string) => boolean; example: string }[] = [
  {
    reason: 'more than 8 KiB are not worth reading',
    holds: (token) => token.length > JWT_MAX_BYTES,
    example: assemble({ header: GOOD_HEADER, payload: JSON.stringify({ a: 'x'.repeat(JWT_MAX_BYTES) }) }),
  },
  {
    reason: 'a token has one spelling (RFC 7515 section 2): no padding, no white space, no stray bits',
    holds: (token) => token.split('.').some((segment) => bytesOf(segment).toString('base64url') !== segment),
    example: assemble({ header: GOOD_HEADER, payload: GOOD_PAYLOAD, encodeSignature: padded }),
  },
  {
    reason: 'no header extension is understood (RFC 7515 section 4.1.11), b64 included',
    holds: (token) => ['crit', 'b64'].some((name) => Object.hasOwn(headerIn(token), name)),
    example: assemble({ header: headerOf({ crit: ['b64'], b64: true }), payload: GOOD_PAYLOAD }),
  },
  {
    reason: 'typ is a text (RFC 7515 section 4.1.9)',
    holds: (token) => !isText(headerIn(token)['typ']),
    example: assemble({ header: headerOf({ typ: 1 }), payload: GOOD_PAYLOAD }),
  },
  {
    reason: 'kid is a text (RFC 7515 section 4.1.4), and looked up, so it is short',
    holds: (token) => !isText(headerIn(token)['kid'], KID_MAX_CHARS),
    example: assemble({ header: headerOf({ kid: ['k'] }), payload: GOOD_PAYLOAD }),
  },
  {
    reason: 'the payload is a JSON object (RFC 7519 section 7.2)',
    holds: (token) => !isJsonObject(parsed(token.split('.')[1])),
    example: assemble({ header: GOOD_HEADER, payload: 'text' }),
  },
  {
    reason: 'the JSON is I-JSON (RFC 7493 section 2), bounded in depth and without a byte order mark',
    holds: (token) => !token.split('.').slice(0, 2).every(isIJson),
    example: assemble({ header: GOOD_HEADER, payload: '{"amount_minor":12345678901234567890}' }),
  },
]

describe('verifying', () => {
  test('verifying accepts exactly what jose accepts, but for the cases that are named', async () => {
    let accepted = 0
    const agree = fc.asyncProperty(tokens, async (token) => {
      const isStricter = STRICTER.some(({ holds }) => holds(token))
      const isAccepted = acceptedHere(token)
      expect(isAccepted).toBe((await acceptedByJose(token)) && !isStricter)
      if (isAccepted) accepted += 1
    })
    await fc.assert(agree, { numRuns: RUNS })
    // If all generated tokens were refused, any two verifiers would agree.
    expect(accepted).toBeGreaterThan(RUNS / 20)
  })

  test.each(STRICTER.map((row) => [row.reason, row] as const))('verifying is stricter: %s', async (_reason, row) => {
    expect(row.holds(row.example)).toBe(true)
    expect(await acceptedByJose(row.example)).toBe(true)
    expect(acceptedHere(row.example)).toBe(false)
  })
})

describe('keys', () => {
  const jwkOf = (hex: string) => ({ kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(Buffer.from(hex, 'hex')) })
  /** R is the base point and S is 1: with the neutral element as key this is valid for every message. */
  const universal = Buffer.from(`58${'66'.repeat(31)}01${'00'.repeat(31)}`, 'hex')
  const forged = assemble({ header: GOOD_HEADER, payload: GOOD_PAYLOAD, sign: () => universal })

  test.each([
    ['the neutral element', `01${'00'.repeat(31)}`],
    ['the neutral element, written with a sign', `01${'00'.repeat(30)}80`],
    ['the neutral element, not reduced', `ee${'ff'.repeat(30)}7f`],
  ])('keys of small order are refused, where jose takes a forged token: %s', async (_name, hex) => {
    expect(await laterCodeOf(async () => parsePublicJwk(jwkOf(hex)))).toBe('malformed')
    expect(await laterCodeOf(async () => importJWK(jwkOf(hex), 'EdDSA'))).toBe('accepted')
  })

  test('the forged token verifies with jose under the neutral element', async () => {
    expect(await acceptedByJose(forged, jwkOf(`01${'00'.repeat(31)}`))).toBe(true)
  })

  test('a key of any 32 bytes that we accept, jose accepts, and no other key verifies a token', async () => {
    const good = assemble({ header: GOOD_HEADER, payload: GOOD_PAYLOAD })
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((x) => Buffer.from(x)),
      fc.constant(bytesOf(key.jwk.x)),
      fc.constant(bytesOf(other.jwk.x)),
    )
    const agree = fc.asyncProperty(bytes, async (x) => {
      const jwk = jwkOf(x.toString('hex'))
      const verifiedHere = async () => {
        const imported = await importKey(parsePublicJwk(jwk))
        verifyEddsa(decodeJws(good), { key: imported.key })
      }
      expect((await laterCodeOf(verifiedHere)) === 'accepted').toBe(await acceptedByJose(good, jwk))
    })
    await fc.assert(agree)
  })

  test('keys of another type are refused by both', async () => {
    const { publicKey: ed448 } = generateKeyPairSync('ed448')
    const good = assemble({ header: GOOD_HEADER, payload: GOOD_PAYLOAD })
    for (const wrong of [p256.publicKey, ed448, key.privateKey]) {
      expect(codeOf(() => verifyEddsa(decodeJws(good), { key: wrong }))).toBe('invalid_signature')
      expect(await acceptedByJose(good, wrong)).toBe(false)
    }
  })
})

describe('signing', () => {
  const claims = fc.dictionary(
    fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
  )

  test('what we sign, jose verifies and reads the same', async () => {
    const agree = fc.asyncProperty(claims, fc.string({ unit: 'binary', maxLength: 40 }), async (payload, typ) => {
      const token = signEddsa({ typ, payload, key })
      const result = await compactVerify(token, key.publicKey, { algorithms: ['EdDSA'] })
      expect(result.protectedHeader).toEqual({ alg: 'EdDSA', typ, kid: key.kid })
      expect(JSON.parse(Buffer.from(result.payload).toString())).toEqual({ ...payload })
    })
    await fc.assert(agree)
  })

  test('what jose signs, we verify and read the same', async () => {
    const agree = fc.asyncProperty(claims, async (payload) => {
      const token = await new SignJWT({ ...payload }).setProtectedHeader({ alg: 'EdDSA' }).sign(key.privateKey)
      const jws = decodeJws(token)
      verifyEddsa(jws, { key: key.publicKey })
      expect(jws.payload).toEqual({ ...payload })
    })
    await fc.assert(agree)
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { describe, expect, test } from 'vitest'
import { decodeJws } from './eddsa'
import { decodeBase64url, encodeBase64url, type JsonObject } from './encoding'
import { issueMandate, type MandateInput, type MandateVerification, verifyMandate } from './mandate'
import { createDisclosures, issueSdJwt, splitSdJwt } from './sd-jwt'
import {
  ed25519Key,
  isEd25519Signature,
  laterCodeOf,
  NOW,
  NOW_SECONDS,
  p256Key,
  rawJws,
  type TestKey,
  without,
} from './test-support'

const issuerKey = ed25519Key()
const holder = ed25519Key()
const ISSUER = 'https://as.example'
const SHOP = 'https://shop.example'
const hidden = (disclosable: JsonObject) => createDisclosures(disclosable, randomBytes)
const input: MandateInput = {
  issuer: ISSUER,
  audience: SHOP,
  mandateId: 'm-1',
  clientId: 'client-1',
  holder: { jwk: { ...holder.jwk, kid: 'agent-key', use: 'sig' }, jkt: holder.kid },
  status: { idx: 4_711, uri: `${ISSUER}/oauth/status-list/1` },
  amountMinor: 2_500,
  currency: 'EUR',
  offerId: 'o-1',
  offerDigest: 'digest-1',
  disclosures: hidden({ principal: 'p-ref', line_items: [{ sku: 'tea', qty: 2 }], instrument: { brand: 'visa' } }),
  issuedAt: NOW,
  ttlSeconds: 300,
  key: issuerKey,
}
const findKey = (kid: string) => (kid === issuerKey.kid ? issuerKey.publicKey : undefined)
const expected: MandateVerification = { issuer: ISSUER, now: NOW, findKey }
const mandate = issueMandate(input)
const check = (text: string, more: Partial<MandateVerification> = {}) =>
  laterCodeOf(() => verifyMandate(text, { ...expected, ...more }))
const later = (seconds: number) => ({ now: new Date(NOW.getTime() + seconds * 1_000) })

const plainClaims = {
  iss: ISSUER,
  aud: SHOP,
  iat: NOW_SECONDS,
  nbf: NOW_SECONDS,
  exp: NOW_SECONDS + 300,
  jti: 'm-1',
  vct: `${ISSUER}/vct/payment-mandate/1`,
  client_id: 'client-1',
  cnf: { jwk: holder.jwk, jkt: holder.kid },
  status: { status_list: { idx: 4_711, uri: `${ISSUER}/oauth/status-list/1` } },
  amount_minor: 2_500,
  currency: 'EUR',
  offer_id: 'o-1',
  offer_digest: 'digest-1',
}
const header = { alg: 'EdDSA', typ: 'dc+sd-jwt', kid: issuerKey.kid }
const mandateOf = (claims: object, disclosable: JsonObject = {}) =>
  issueSdJwt({ typ: 'dc+sd-jwt', claims: { ...claims }, disclosures: hidden(disclosable), key: issuerKey })

describe('a mandate', () => {
  test('a mandate shows its plain claims to anybody who decodes the JWT, and ends with a tilde', () => {
    const { issuerJwt, disclosures, keyBindingJwt } = splitSdJwt(mandate)
    const { header: found, payload } = decodeJws(issuerJwt)
    expect(found).toEqual(header)
    expect(payload).toEqual({ ...plainClaims, _sd: expect.any(Array), _sd_alg: 'sha-256' })
    expect(disclosures).toHaveLength(3)
    expect(keyBindingJwt).toBeNull()
    expect(mandate.endsWith('~')).toBe(true)
  })

  test('a mandate verifies, with all, some or none of its disclosures', async () => {
    const { issuerJwt, disclosures } = splitSdJwt(mandate)
    const disclosed = { principal: 'p-ref', line_items: [{ sku: 'tea', qty: 2 }], instrument: { brand: 'visa' } }
    expect(await verifyMandate(mandate, expected)).toEqual({
      claims: plainClaims,
      disclosed,
      holderJkt: holder.kid,
      keyBinding: null,
    })
    const disclosedBy = async (text: string) => (await verifyMandate(text, expected)).disclosed
    expect(await disclosedBy(`${issuerJwt}~${disclosures[1]}~`)).toEqual({ line_items: disclosed.line_items })
    expect(await disclosedBy(`${issuerJwt}~`)).toEqual({})
  })

  test('a mandate carries no offer when there was none', async () => {
    const { offerId: _offerId, offerDigest: _offerDigest, ...rest } = input
    const { offer_id: _id, offer_digest: _digest, ...claims } = plainClaims
    expect((await verifyMandate(issueMandate(rest), expected)).claims).toEqual(claims)
  })

  test('a mandate may have many line items, beyond the size of a plain JWT', async () => {
    const line_items = Array.from({ length: 200 }, (_, index) => ({
      sku: `sku-${index}`,
      qty: 1,
      title: 'x'.repeat(60),
    }))
    const { disclosed } = await verifyMandate(issueMandate({ ...input, disclosures: hidden({ line_items }) }), expected)
    expect(disclosed).toEqual({ line_items })
  })

  test('a mandate verifies with @sd-jwt/sd-jwt-vc', async () => {
    const library = new SDJwtVcInstance({
      verifier: (data: string, signature: string) =>
        isEd25519Signature(issuerKey.publicKey, Buffer.from(data), decodeBase64url(signature)),
      hasher: (data: string | ArrayBuffer) =>
        createHash('sha256')
          .update(typeof data === 'string' ? data : Buffer.from(data))
          .digest(),
      hashAlg: 'sha-256',
      statusListFetcher: async () => Promise.reject(new Error('no network')),
    })
    await expect(library.verify(mandate, { currentDate: NOW_SECONDS })).rejects.toThrow('no network')
    const { payload } = await library.decode(mandate).then((decoded) => decoded.jwt ?? { payload: undefined })
    expect(payload).toMatchObject(plainClaims)
  })
})

describe('mandate_invalid', () => {
  const [jwt = ''] = mandate.split('~')
  const [head, , signature] = jwt.split('.')
  const jws = (more: object, claims: object = plainClaims, key: TestKey = issuerKey) =>
    `${rawJws({ ...header, ...more }, claims, key)}~`

  test.each([
    ['nothing', ''],
    ['garbage', 'garbage'],
    ['no tilde', jwt],
    ['an empty disclosure', `${jwt}~~`],
    ['a disclosure of another mandate', `${jwt}~${hidden({ principal: 'p-ref' })[0]}~`],
    ['one disclosure twice', `${mandate}${mandate.split('~')[1]}~`],
    [
      'a changed payload',
      `${head}.${encodeBase64url(JSON.stringify({ ...plainClaims, amount_minor: 1 }))}.${signature}~`,
    ],
    ['another key', jws({}, plainClaims, ed25519Key())],
    ['an unknown kid', jws({ kid: 'x' })],
    ['no kid', `${rawJws(without(header, 'kid'), plainClaims, issuerKey)}~`],
    ['typ vc+sd-jwt', jws({ typ: 'vc+sd-jwt' })],
    ['typ JWT', jws({ typ: 'JWT' })],
    ['no typ', jws({ typ: undefined })],
    ['alg none', jws({ alg: 'none' })],
    ['the name Ed25519, which we never write', jws({ alg: 'Ed25519' })],
    ['ES256', jws({ alg: 'ES256' }, plainClaims, p256Key())],
    ['crit', jws({ crit: ['x'], x: 1 })],
  ])('mandate_invalid is the answer for the form: %s', async (_name, text) => {
    expect(await check(text)).toBe('mandate_invalid')
  })

  test.each<[string, object]>([
    ['another issuer', { iss: 'https://other.example' }],
    ['another type', { vct: 'https://as.example/vct/other' }],
    ['no exp', { exp: undefined }],
    ['no nbf', { nbf: undefined }],
    ['nbf far ahead', { nbf: NOW_SECONDS + 61 }],
    ['no aud', { aud: undefined }],
    ['an array as aud', { aud: [SHOP] }],
    ['no jti', { jti: undefined }],
    ['no client_id', { client_id: undefined }],
    ['no cnf', { cnf: undefined }],
    ['a thumbprint alone', { cnf: { jkt: holder.kid } }],
    ['a key alone', { cnf: { jwk: holder.jwk } }],
    ['a key and the thumbprint of another', { cnf: { jwk: holder.jwk, jkt: issuerKey.kid } }],
    ['a private key', { cnf: { jwk: holder.privateKey.export({ format: 'jwk' }), jkt: holder.kid } }],
    ['no status', { status: undefined }],
    ['a status without index', { status: { status_list: { uri: 'https://as.example/l' } } }],
    ['a fraction as amount', { amount_minor: 0.5 }],
    ['a string as amount', { amount_minor: '2500' }],
    ['no currency', { currency: undefined }],
    ['another hash', { _sd_alg: 'sha-512' }],
  ])('mandate_invalid is the answer for the claims: %s', async (_name, more) => {
    expect(await check(`${rawJws(header, { ...plainClaims, ...more }, issuerKey)}~`)).toBe('mandate_invalid')
  })

  test.each([
    'iss',
    'aud',
    'iat',
    'nbf',
    'exp',
    'jti',
    'vct',
    'client_id',
    'cnf',
    'status',
    'amount_minor',
    'currency',
    'offer_id',
    'offer_digest',
    'sub',
  ])('mandate_invalid is the answer when a disclosure brings %s', async (name) => {
    const value = Object.entries(plainClaims).find(([member]) => member === name)?.[1] ?? 'value'
    expect(await check(mandateOf(without(plainClaims, name), { [name]: value }))).toBe('mandate_invalid')
  })
})

describe('mandate_expired', () => {
  test('mandate_expired is the answer from the first second on', async () => {
    expect(await check(mandate, later(299.9))).toBe('accepted')
    expect(await check(mandate, later(300))).toBe('mandate_expired')
  })

  test('mandate_expired is the answer only for a mandate that is genuine', async () => {
    expect(await check(`${rawJws(header, plainClaims, ed25519Key())}~`, later(300))).toBe('mandate_invalid')
  })

  test('mandate_expired comes before the audience', async () => {
    expect(await check(mandate, { ...later(300), expectedAudience: 'https://other.example' })).toBe('mandate_expired')
  })
})

describe('mandate_audience_mismatch', () => {
  test('mandate_audience_mismatch is the answer unless the mandate is for this merchant, however it is written', async () => {
    expect(await check(mandate, { expectedAudience: SHOP })).toBe('accepted')
    expect(await check(mandate, { expectedAudience: 'https://SHOP.example:443/' })).toBe('accepted')
    for (const other of ['https://shop.example/other', 'http://shop.example', 'https://evil.example', '']) {
      expect(await check(mandate, { expectedAudience: other })).toBe('mandate_audience_mismatch')
    }
  })
})

describe('offer_digest_mismatch', () => {
  test('offer_digest_mismatch is the answer when the mandate carries another digest or none', async () => {
    expect(await check(mandate, { offerDigest: 'digest-1' })).toBe('accepted')
    expect(await check(mandate, { offerDigest: 'digest-2' })).toBe('offer_digest_mismatch')
    expect(await check(mandateOf(without(plainClaims, 'offer_digest')), { offerDigest: 'digest-1' })).toBe(
      'offer_digest_mismatch',
    )
  })

  test('offer_digest_mismatch comes after the key binding', async () => {
    const keyBinding = { audience: SHOP, isNonceValid: () => true }
    expect(await check(mandate, { offerDigest: 'digest-2', keyBinding })).toBe('mandate_invalid')
  })
})

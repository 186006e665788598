import { createHash, randomBytes } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { describe, expect, test } from 'vitest'
import { encodeBase64url, type JsonObject, sha256Base64url } from './encoding'
import { issueMandate, type MandateVerification, verifyMandate } from './mandate'
import { createDisclosures } from './sd-jwt'
import {
  ed25519Key,
  laterCodeOf,
  NOW,
  NOW_SECONDS,
  p256Key,
  signBytes,
  signKeyBinding,
  type TestKey,
} from './test-support'

const issuerKey = ed25519Key()
const holder = ed25519Key()
const ISSUER = 'https://as.example'
const SHOP = 'https://shop.example'
const mandate = issueMandate({
  issuer: ISSUER,
  audience: SHOP,
  mandateId: 'm-1',
  clientId: 'client-1',
  holder: { jwk: holder.jwk, jkt: holder.kid },
  status: { idx: 1, uri: `${ISSUER}/oauth/status-list/1` },
  amountMinor: 2_500,
  currency: 'EUR',
  disclosures: createDisclosures(
    { principal: 'p-ref', line_items: [{ sku: 'tea', qty: 2 }], instrument: { brand: 'visa' } },
    randomBytes,
  ),
  issuedAt: NOW,
  ttlSeconds: 300,
  key: issuerKey,
})
const expected: MandateVerification = { issuer: ISSUER, now: NOW, findKey: () => issuerKey.publicKey }
const keyBinding = { audience: SHOP, isNonceValid: (nonce: string) => nonce === 'nonce-1' }
const claims = { iat: NOW_SECONDS, aud: SHOP, nonce: 'nonce-1', sd_hash: sha256Base64url(mandate) }
const present = (more: object = {}, head: object = {}, key: TestKey = holder) =>
  `${mandate}${signKeyBinding(key, { ...claims, ...more }, head)}`
const checkBound = (text: string) => laterCodeOf(() => verifyMandate(text, { ...expected, keyBinding }))

describe('a key binding', () => {
  test('a key binding is accepted when the holder made it for this merchant and nonce', async () => {
    const verified = await verifyMandate(present(), { ...expected, keyBinding })
    expect(verified.keyBinding).toEqual({
      nonce: 'nonce-1',
      audience: SHOP,
      iat: NOW_SECONDS,
    })
    expect(await checkBound(present({}, { alg: 'Ed25519' }))).toBe('accepted')
    expect(await checkBound(present({ aud: `${SHOP}/` }))).toBe('accepted')
  })

  test.each([-300, 60])('a key binding is accepted when made at %i s from now', async (offset) => {
    expect(await checkBound(present({ iat: NOW_SECONDS + offset }))).toBe('accepted')
  })

  test('a key binding is not looked at when none was asked for', async () => {
    const verified = await verifyMandate(present({ aud: 'https://other.example' }), expected)
    expect(verified.keyBinding).toBeNull()
  })

  test('a key binding made by @sd-jwt is accepted', async () => {
    const library = new SDJwtVcInstance({
      hasher: (data: string | ArrayBuffer) =>
        createHash('sha256')
          .update(typeof data === 'string' ? data : Buffer.from(data))
          .digest(),
      hashAlg: 'sha-256',
      kbSigner: (data: string) => encodeBase64url(signBytes(Buffer.from(data), holder.privateKey)),
      kbSignAlg: 'EdDSA',
    })
    const kb = { payload: { iat: NOW_SECONDS, aud: SHOP, nonce: 'nonce-1' } }
    const presentation = await library.present<JsonObject>(mandate, { line_items: true }, { kb })
    const result = await verifyMandate(presentation, { ...expected, keyBinding })
    expect(Object.keys(result.disclosed)).toEqual(['line_items'])
  })

  test.each([
    ['missing', mandate],
    ['of another key', present({}, {}, ed25519Key())],
    ['signed with ES256', present({}, {}, p256Key())],
    ['of typ JWT', present({}, { typ: 'JWT' })],
    ['of typ dpop+jwt', present({}, { typ: 'dpop+jwt' })],
    ['with alg none', present({}, { alg: 'none' })],
    ['301 s old', present({ iat: NOW_SECONDS - 301 })],
    ['of in 61 s', present({ iat: NOW_SECONDS + 61 })],
    ['without iat', present({ iat: undefined })],
    ['expired', present({ exp: NOW_SECONDS })],
    ['without sd_hash', present({ sd_hash: undefined })],
    ['for another presentation', present({ sd_hash: sha256Base64url(`${mandate.split('~')[0]}~`) })],
    ['garbage', `${mandate}garbage`],
  ])('a key binding is mandate_invalid when %s', async (_name, text) => {
    expect(await checkBound(text)).toBe('mandate_invalid')
  })

  test('a key binding is mandate_invalid when a disclosure was taken away or added after it was made', async () => {
    const [jwt, first, second, third] = mandate.split('~')
    const kb = signKeyBinding(holder, claims)
    expect(await checkBound([jwt, first, second, third, kb].join('~'))).toBe('accepted')
    expect(await checkBound([jwt, first, second, kb].join('~'))).toBe('mandate_invalid')
    expect(await checkBound([jwt, second, first, third, kb].join('~'))).toBe('mandate_invalid')
  })

  test.each([
    ['another merchant', { aud: 'https://other.example' }],
    ['an array', { aud: [SHOP] }],
    ['missing', { aud: undefined }],
  ])('a key binding is mandate_audience_mismatch when its aud is %s', async (_name, more) => {
    expect(await checkBound(present(more))).toBe('mandate_audience_mismatch')
  })

  test.each([
    ['another', { nonce: 'nonce-2' }],
    ['missing', { nonce: undefined }],
    ['a number', { nonce: 1 }],
    ['endless', { nonce: 'n'.repeat(513) }],
  ])('a key binding is mandate_kb_nonce_mismatch when its nonce is %s', async (_name, more) => {
    expect(await checkBound(present(more))).toBe('mandate_kb_nonce_mismatch')
  })
})

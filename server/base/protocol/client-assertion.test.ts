import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { decodeClientAssertion, type ExpectedAssertion, verifyClientAssertion } from './client-assertion'
import { parseJwks } from './jwks'
import { CLIENT_ALGORITHMS } from './jws'
import { codeOf, ed25519Key, laterCodeOf, NOW, NOW_SECONDS, p256Key, rawJws, without } from './test-support'

const key = ed25519Key()
const other = ed25519Key()
const p256 = p256Key()
const ISSUER = 'https://as.example'
const CLIENT = '0d7f2a2e-8f0e-4c3f-9d31-1c2b3a4d5e6f'
const claims = { iss: CLIENT, sub: CLIENT, aud: ISSUER, jti: 'a-1', iat: NOW_SECONDS, exp: NOW_SECONDS + 60 }
const header = { alg: 'EdDSA', kid: key.kid }
const jwks = await parseJwks({
  keys: [
    { ...key.jwk, kid: key.kid },
    { ...p256.jwk, kid: p256.kid, use: 'sig', alg: 'ES256' },
  ],
})
const rules = { clientId: CLIENT, issuer: ISSUER, jwks, now: NOW, algorithms: CLIENT_ALGORITHMS, legacyRs256: false }
const check = (assertion: string, more: Partial<ExpectedAssertion> = {}) =>
  laterCodeOf(() => verifyClientAssertion({ assertion, ...rules, ...more }))
const checkClaims = (more: object) => check(rawJws(header, { ...claims, ...more }, key))

describe('a good assertion is accepted', () => {
  test('the jti of an assertion must be remembered until it has expired on every clock', async () => {
    const result = await verifyClientAssertion({ assertion: rawJws(header, claims, key), ...rules })
    expect(result).toEqual({ jti: 'a-1', expiresAt: new Date((NOW_SECONDS + 120) * 1_000) })
  })

  test.each([
    ['EdDSA', key],
    ['Ed25519', key],
    ['ES256', p256],
  ])('an assertion signed by jose with %s is accepted', async (alg, { kid, privateKey }) => {
    expect(await check(await new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey))).toBe('accepted')
  })

  test.each(['EdDSA', 'ES256'])('an assertion made by oauth4webapi with %s is accepted', async (alg) => {
    const pair = await generateKeyPair(alg, { extractable: true })
    const keys = await parseJwks({ keys: [await exportJWK(pair.publicKey)] })
    const body = new URLSearchParams()
    await oauth.PrivateKeyJwt(pair.privateKey)({ issuer: ISSUER }, { client_id: CLIENT }, body, new Headers())
    const assertion = body.get('client_assertion') ?? ''
    expect(decodeClientAssertion(assertion)).toBe(CLIENT)
    expect(await check(assertion, { jwks: keys, now: new Date() })).toBe('accepted')
  })

  test.each([
    undefined,
    'JWT',
    'jwt',
    'application/JWT',
    'client-authentication+jwt',
    'Application/Client-Authentication+JWT',
  ])('an assertion with typ %s is accepted', async (typ) => {
    expect(await check(rawJws({ ...header, typ }, claims, key))).toBe('accepted')
  })

  test('an assertion without a kid when a key of the client fits is accepted', async () => {
    expect(await check(rawJws({ alg: 'EdDSA' }, claims, key))).toBe('accepted')
    expect(await check(rawJws({ alg: 'ES256' }, claims, p256))).toBe('accepted')
  })

  test.each([
    ['iat 10 s ahead', { iat: NOW_SECONDS + 10 }],
    ['nbf 10 s ahead', { nbf: NOW_SECONDS + 10 }],
    ['no iat', { iat: undefined }],
    ['a fraction of a second', { iat: NOW_SECONDS - 0.5 }],
    ['300 s to live', { exp: NOW_SECONDS + 300 }],
    ['a jti of 256 characters', { jti: 'j'.repeat(256) }],
  ])('an assertion with %s is accepted', async (_name, more) => {
    expect(await checkClaims(more)).toBe('accepted')
  })

  test('an assertion with RS256 only in the legacy window is accepted', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const keys = await parseJwks({ keys: [publicKey.export({ format: 'jwk' })] }, { allowRsa: true })
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    expect(await check(assertion, { jwks: keys, legacyRs256: true })).toBe('accepted')
    expect(await check(assertion, { jwks: keys })).toBe('invalid_client')
  })
})

describe('invalid_client', () => {
  test.each([
    ['another aud', { aud: 'https://other.example' }],
    ['the token endpoint as aud', { aud: `${ISSUER}/oauth/token` }],
    ['the issuer and a slash as aud', { aud: `${ISSUER}/` }],
    ['an array as aud', { aud: [ISSUER] }],
    ['no aud', { aud: undefined }],
    ['no exp', { exp: undefined }],
    ['a string as exp', { exp: String(NOW_SECONDS + 60) }],
    ['exp now', { exp: NOW_SECONDS }],
    ['exp past', { exp: NOW_SECONDS - 30 }],
    ['exp more than 300 s ahead', { exp: NOW_SECONDS + 301 }],
    ['exp in ten years', { exp: NOW_SECONDS + 315_360_000 }],
    ['an endless exp', { exp: Number.MAX_VALUE }],
    ['iat more than 60 s ahead', { iat: NOW_SECONDS + 61 }],
    ['nbf more than 60 s ahead', { nbf: NOW_SECONDS + 61 }],
    ['a string as nbf', { nbf: 'now' }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a number as jti', { jti: 1 }],
    ['an endless jti', { jti: 'j'.repeat(257) }],
    ['no sub', { sub: undefined }],
    ['no iss', { iss: undefined }],
    ['an iss that is not the sub', { iss: 'another' }],
    ['another client', { iss: 'another', sub: 'another' }],
  ])('invalid_client is the answer for the claims: %s', async (_name, more) => {
    expect(await checkClaims(more)).toBe('invalid_client')
  })

  test.each([
    ['nothing', ''],
    ['garbage', 'garbage'],
    ['alg none', rawJws({ ...header, alg: 'none' }, claims, key)],
    ['HS256', rawJws({ ...header, alg: 'HS256' }, claims, key)],
    ['RS256', rawJws({ ...header, alg: 'RS256' }, claims, key)],
    ['ES256 for an Ed25519 key', rawJws({ ...header, alg: 'ES256' }, claims, p256)],
    ['EdDSA for a P-256 key', rawJws({ alg: 'EdDSA', kid: p256.kid }, claims, key)],
    ['another key under a known kid', rawJws(header, claims, other)],
    ['another key without kid', rawJws({ alg: 'EdDSA' }, claims, other)],
    ['an unknown kid', rawJws({ ...header, kid: 'unknown' }, claims, key)],
    ['its own key in the header', rawJws({ alg: 'EdDSA', jwk: other.jwk }, claims, other)],
    ['crit', rawJws({ ...header, crit: ['x'], x: 1 }, claims, key)],
    ['typ dpop+jwt', rawJws({ ...header, typ: 'dpop+jwt' }, claims, key)],
    ['typ at+jwt', rawJws({ ...header, typ: 'at+jwt' }, claims, key)],
    ['typ kb+jwt', rawJws({ ...header, typ: 'kb+jwt' }, claims, key)],
    ['more than 8 KiB', rawJws(header, { ...claims, pad: 'a'.repeat(8_192) }, key)],
  ])('invalid_client is the answer for the form: %s', async (_name, assertion) => {
    expect(await check(assertion)).toBe('invalid_client')
  })

  test('invalid_client is the answer for an algorithm that the client may not use, or a client without keys', async () => {
    const assertion = rawJws({ alg: 'ES256', kid: p256.kid }, claims, p256)
    expect(await check(assertion, { algorithms: ['EdDSA', 'Ed25519'] })).toBe('invalid_client')
    expect(await check(assertion, { jwks: [] })).toBe('invalid_client')
  })

  test('invalid_client is the answer in the same words for an unknown kid and a signature that does not verify', async () => {
    const messageOf = async (assertion: string) => {
      try {
        return (await verifyClientAssertion({ assertion, ...rules })).jti
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
    }
    expect(await messageOf(rawJws(header, claims, other))).toBe('Client authentication failed')
    expect(await messageOf(rawJws({ ...header, kid: 'unknown' }, claims, key))).toBe('Client authentication failed')
    // Other errors are reported only to holders of a key of the client.
    expect(await messageOf(rawJws({ ...header, typ: 'at+jwt' }, { aud: 'x' }, other))).toBe(
      'Client authentication failed',
    )
  })
})

describe('the claimed client', () => {
  test('the claimed client is the sub, before anything is verified', () => {
    expect(decodeClientAssertion(rawJws({ alg: 'EdDSA' }, { sub: CLIENT }, other))).toBe(CLIENT)
  })

  test.each([
    ['garbage', 'a.b.c'],
    ['no sub', rawJws(header, without(claims, 'sub'), key)],
    ['an array as sub', rawJws(header, { sub: [CLIENT] }, key)],
    ['NUL in it', rawJws(header, { sub: 'a\u0000' }, key)],
    ['text that is not ASCII', rawJws(header, { sub: 'ü' }, key)],
    ['a lone surrogate', rawJws(header, '{"sub":"\\ud800"}', key)],
    ['an endless sub', rawJws(header, { sub: 's'.repeat(257) }, key)],
  ])('an assertion with %s names no client and is invalid_client', (_name, assertion) => {
    expect(codeOf(() => decodeClientAssertion(assertion))).toBe('invalid_client')
  })
})

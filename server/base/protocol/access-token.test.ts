import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { type AccessTokenClaims, audienceIncludes, signAccessToken, verifyAccessToken } from './access-token'
import { codeOf, ed25519Key, NOW, NOW_SECONDS, p256Key, rawJws } from './test-support'

const key = ed25519Key()
const retired = ed25519Key()
const ISSUER = 'https://as.example'
const keys = new Map([key, retired].map(({ kid, publicKey }) => [kid, publicKey]))
const verification = { issuer: ISSUER, now: NOW, findKey: (kid: string) => keys.get(kid) }
const claims: AccessTokenClaims = {
  iss: ISSUER,
  sub: 'client-1',
  aud: ['https://shop.example', ISSUER],
  client_id: 'client-1',
  jti: 'at-1',
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 300,
  scope: 'oid4ac:payment payment:execute',
  cnf: { jkt: key.kid },
  auth_time: NOW_SECONDS,
  acr: 'urn:example:acr',
  authorization_details: [{ type: 'oid4ac_mandate', amount_minor: 1_999 }],
  mandate_id: 'm-1',
}
const header = { alg: 'EdDSA', typ: 'at+jwt', kid: key.kid }
const check = (token: string, now = NOW) => codeOf(() => verifyAccessToken(token, { ...verification, now }))
const checkClaims = (more: object) => check(rawJws(header, { ...claims, ...more }, key))

describe('an access token', () => {
  test('an access token verifies with jose as RFC 9068 wants it', async () => {
    const { payload, protectedHeader } = await jwtVerify(signAccessToken(claims, key), key.publicKey, {
      typ: 'at+jwt',
      issuer: ISSUER,
      audience: 'https://shop.example',
      algorithms: ['EdDSA'],
      currentDate: NOW,
    })
    expect(payload).toEqual(claims)
    expect(protectedHeader).toEqual(header)
  })

  test('an access token comes back as it was signed, with only the claims it has', () => {
    expect(verifyAccessToken(signAccessToken(claims, key), verification)).toEqual(claims)
    const { auth_time: _time, acr: _acr, authorization_details: _details, mandate_id: _mandate, ...few } = claims
    expect(verifyAccessToken(signAccessToken({ ...few, aud: ISSUER }, key), verification)).toEqual({
      ...few,
      aud: ISSUER,
    })
  })

  test('an access token of a retired key still verifies', () => {
    expect(check(signAccessToken(claims, retired))).toBe('accepted')
  })

  test('an access token lives until its last second', () => {
    const token = signAccessToken(claims, key)
    expect(check(token, new Date((NOW_SECONDS + 300) * 1_000 - 1))).toBe('accepted')
    expect(check(token, new Date((NOW_SECONDS + 300) * 1_000))).toBe('invalid_token')
  })
})

describe('invalid_token', () => {
  const [head, , signature] = signAccessToken(claims, key).split('.')
  const [, otherBody] = signAccessToken({ ...claims, sub: 'client-2' }, key).split('.')

  test.each([
    ['garbage', 'opaque'],
    ['a changed payload', `${head}.${otherBody}.${signature}`],
    ['another key', rawJws(header, claims, ed25519Key())],
    ['an unknown kid', rawJws({ ...header, kid: 'unknown' }, claims, key)],
    ['no kid', rawJws({ alg: 'EdDSA', typ: 'at+jwt' }, claims, key)],
    ['no typ', rawJws({ alg: 'EdDSA', kid: key.kid }, claims, key)],
    ['typ JWT', rawJws({ ...header, typ: 'JWT' }, claims, key)],
    ['a mandate', rawJws({ ...header, typ: 'dc+sd-jwt' }, claims, key)],
    ['alg none', rawJws({ ...header, alg: 'none' }, claims, key)],
    ['HS256', rawJws({ ...header, alg: 'HS256' }, claims, key)],
    ['the name Ed25519, which we never write', rawJws({ ...header, alg: 'Ed25519' }, claims, key)],
    ['ES256', rawJws({ ...header, alg: 'ES256' }, claims, p256Key())],
  ])('invalid_token is the answer for the form: %s', (_name, token) => {
    expect(check(token)).toBe('invalid_token')
  })

  test.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['no exp', { exp: undefined }],
    ['exp 1 s ago', { exp: NOW_SECONDS - 1 }],
    ['iat far ahead', { iat: NOW_SECONDS + 61 }],
    ['no cnf', { cnf: undefined }],
    ['no jkt', { cnf: {} }],
    ['no aud', { aud: undefined }],
    ['an empty aud', { aud: [] }],
    ['numbers as aud', { aud: [1] }],
    ['no sub', { sub: undefined }],
    ['no client_id', { client_id: undefined }],
    ['no jti', { jti: undefined }],
    ['no scope', { scope: undefined }],
    ['authorization_details that are no list', { authorization_details: {} }],
  ])('invalid_token is the answer for the claims: %s', (_name, more) => {
    expect(checkClaims(more)).toBe('invalid_token')
  })
})

describe('the audience', () => {
  test('the audience includes a resource only by its exact name', () => {
    expect(audienceIncludes({ aud: ISSUER }, ISSUER)).toBe(true)
    expect(audienceIncludes({ aud: ISSUER }, 'https://as')).toBe(false)
    expect(audienceIncludes(claims, 'https://shop.example')).toBe(true)
    expect(audienceIncludes(claims, 'https://shop.example/')).toBe(true)
    expect(audienceIncludes(claims, 'https://shop.example/else')).toBe(false)
    expect(audienceIncludes(claims, 'http://shop.example')).toBe(false)
  })
})

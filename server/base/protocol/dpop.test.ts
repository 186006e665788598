import { generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { type ExpectedProof, verifyDpopProof } from './dpop'
import { createNonceSource } from './dpop-nonce'
import { sha256Base64url } from './encoding'
import { ed25519Key, laterCodeOf, NOW, NOW_SECONDS, p256Key, rawJws, signProof, without } from './test-support'

const key = ed25519Key()
const URI = 'https://as.example/oauth/token'
const claims = { htm: 'POST', htu: URI, iat: NOW_SECONDS, jti: 'proof-1' }
const header = { alg: 'EdDSA', typ: 'dpop+jwt', jwk: key.jwk }
const expected: ExpectedProof = { method: 'POST', uri: URI, now: NOW, nonceRequired: false }
const check = (proof: string | null, more: Partial<ExpectedProof> = {}) =>
  laterCodeOf(() => verifyDpopProof(proof, { ...expected, ...more }))
const checkClaims = (more: object, changed: Partial<ExpectedProof> = {}) =>
  check(signProof(key, { ...claims, ...more }), changed)

describe('RFC 9449', () => {
  const jkt = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'
  const figureHeader =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19'

  test('RFC 9449 section 4.1: the proof of the token request', async () => {
    const proof = `${figureHeader}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`
    const now = new Date(1_562_262_616_000)
    const uri = 'https://server.example.com/token'
    const result = await verifyDpopProof(proof, { method: 'POST', uri, now, nonceRequired: false })
    expect(result).toMatchObject({ jkt, jti: '-BwC3ESc6acc2lTc', iat: 1_562_262_616, nonce: null })
    expect(result.replayUntil).toEqual(new Date(1_562_262_736_000))
  })

  test('RFC 9449 section 7.1: the proof of the protected resource request', async () => {
    const proof = `${figureHeader}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`
    const resource = {
      method: 'GET',
      uri: 'https://resource.example.org/protectedresource',
      now: new Date(1_562_262_618_000),
      accessToken: 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU',
      boundKey: jkt,
      nonceRequired: false,
    }
    expect((await verifyDpopProof(proof, resource)).jti).toBe('e1j3V_bKic8-LAEB')
    expect(await check(proof, { ...resource, accessToken: 'another' })).toBe('invalid_dpop_proof')
  })
})

describe('a good proof is accepted', () => {
  test.each([
    ['EdDSA', ed25519Key()],
    ['Ed25519', ed25519Key()],
    ['ES256', p256Key()],
  ])('a proof signed by jose with %s is accepted', async (alg, { kid, jwk, privateKey }) => {
    const proof = await new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: { ...jwk } })
      .sign(privateKey)
    expect(await verifyDpopProof(proof, expected)).toMatchObject({ jkt: kid, jti: 'proof-1', jwk })
  })

  test.each(['EdDSA', 'ES256'])('a proof made by oauth4webapi with %s is accepted', async (alg) => {
    const handle = oauth.DPoP({}, await generateKeyPair(alg, { extractable: true }))
    let proof: string | null = null
    await oauth.protectedResourceRequest(
      'token',
      'GET',
      new URL('https://as.example/wallet/agents?limit=1'),
      undefined,
      undefined,
      {
        DPoP: handle,
        [oauth.customFetch]: async (_url, { headers }) => {
          proof = new Headers(headers).get('dpop')
          return new Response()
        },
      },
    )
    const now = new Date()
    const result = await verifyDpopProof(proof, {
      method: 'GET',
      uri: 'https://as.example/wallet/agents',
      now,
      nonceRequired: false,
      accessToken: 'token',
    })
    expect(result.jkt).toBe(await handle.calculateThumbprint())
  })

  test('a proof with additional members is accepted', async () => {
    expect(await check(signProof(key, { ...claims, extra: {} }, { x: 1, kid: 'a' }))).toBe('accepted')
  })

  test.each([
    'HTTPS://AS.Example/oauth/token',
    'https://as.example:443/oauth/token',
    'https://as.example/oauth/./x/../token',
    'https://as.example/oauth/%74oken',
    'https://as.example/oauth/token?a=b',
    'https://as.example/oauth/token#f',
  ])('a proof with the htu written %s is accepted', async (htu) => {
    expect(await checkClaims({ htu })).toBe('accepted')
  })

  test('a proof with percent-encoding of another case is accepted', async () => {
    const uri = 'https://as.example/wallet/policy/https%3A%2F%2Fshop.example/deny'
    expect(await checkClaims({ htu: uri.toLowerCase() }, { uri })).toBe('accepted')
    expect(await checkClaims({ htu: uri.replaceAll('%', '%25') }, { uri })).toBe('invalid_dpop_proof')
  })

  test.each([-60, -10, 10, 60])('a proof made at %i s from now is accepted', async (offset) => {
    expect(await checkClaims({ iat: NOW_SECONDS + offset })).toBe('accepted')
  })

  test('a proof with exp and nbf that hold is accepted', async () => {
    expect(await checkClaims({ exp: NOW_SECONDS + 1, nbf: NOW_SECONDS })).toBe('accepted')
  })

  test('a proof with a jti of 256 characters is accepted', async () => {
    expect(await checkClaims({ jti: 'j'.repeat(256) })).toBe('accepted')
  })

  test('the jti of a proof must be remembered longer than any clock may accept it', async () => {
    for (const offset of [-60, 60]) {
      const { replayUntil } = await verifyDpopProof(signProof(key, { ...claims, iat: NOW_SECONDS + offset }), expected)
      expect(replayUntil).toEqual(new Date((NOW_SECONDS + offset + 120) * 1_000))
    }
  })
})

describe('invalid_dpop_proof', () => {
  const [head, body] = signProof(key, claims).split('.')

  test.each([
    ['no proof', null],
    ['an empty header', ''],
    ['two proofs joined', `${signProof(key, claims)}, ${signProof(key, claims)}`],
    ['two segments', `${head}.${body}`],
    ['a stripped signature', `${head}.${body}.`],
    ['bad base64', `${head}.${body}.%%%`],
    ['an empty header object', rawJws({}, claims, key)],
    ['no typ', rawJws(without(header, 'typ'), claims, key)],
    ['typ JWT', rawJws({ ...header, typ: 'JWT' }, claims, key)],
    ['typ at+jwt', rawJws({ ...header, typ: 'at+jwt' }, claims, key)],
    ['typ text/dpop+jwt', rawJws({ ...header, typ: 'text/dpop+jwt' }, claims, key)],
    ['no alg', rawJws(without(header, 'alg'), claims, key)],
    ['alg none', rawJws({ ...header, alg: 'none' }, claims, key)],
    ['HS256 with an oct key', rawJws({ ...header, alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }, claims, key)],
    ['RS256', rawJws({ ...header, alg: 'RS256' }, claims, key)],
    ['ES256 with an OKP key', rawJws({ ...header, alg: 'ES256' }, claims, key)],
    ['EdDSA with an EC key', rawJws({ ...header, jwk: p256Key().jwk }, claims, key)],
    ['no jwk', rawJws(without(header, 'jwk'), claims, key)],
    ['an array as jwk', rawJws({ ...header, jwk: [key.jwk] }, claims, key)],
    ['a string as jwk', rawJws({ ...header, jwk: 'x' }, claims, key)],
    ['a private jwk', rawJws({ ...header, jwk: key.privateKey.export({ format: 'jwk' }) }, claims, key)],
    ['a point off the curve', rawJws({ ...header, jwk: { ...p256Key().jwk, y: key.jwk.x } }, claims, key)],
    ['another key', rawJws({ ...header, jwk: ed25519Key().jwk }, claims, key)],
    ['crit', rawJws({ ...header, crit: ['a'], a: 1 }, claims, key)],
    ['an array as payload', rawJws(header, [], key)],
    ['more than 8 KiB', rawJws({ ...header, pad: 'a'.repeat(8_192) }, claims, key)],
  ])('invalid_dpop_proof is the answer for the form: %s', async (_name, proof) => {
    expect(await check(proof)).toBe('invalid_dpop_proof')
  })

  test.each([
    ['another method', { htm: 'GET' }],
    ['the method in lower case', { htm: 'post' }],
    ['no method', { htm: undefined }],
    ['another path', { htu: 'https://as.example/oauth/par' }],
    ['a trailing slash', { htu: `${URI}/` }],
    ['another host', { htu: 'https://evil.example/oauth/token' }],
    ['another port', { htu: 'https://as.example:8443/oauth/token' }],
    ['http', { htu: 'http://as.example/oauth/token' }],
    ['a path only', { htu: '/oauth/token' }],
    ['userinfo', { htu: 'https://as.example@evil.example/oauth/token' }],
    ['no htu', { htu: undefined }],
    ['a number as htu', { htu: 1 }],
    ['an array as htu', { htu: [URI] }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a number as jti', { jti: 1 }],
    ['an endless jti', { jti: 'j'.repeat(257) }],
    ['no iat', { iat: undefined }],
    ['a string as iat', { iat: String(NOW_SECONDS) }],
    ['a proof 61 s old', { iat: NOW_SECONDS - 61 }],
    ['a proof of in 61 s', { iat: NOW_SECONDS + 61 }],
    ['exp now', { exp: NOW_SECONDS }],
    ['a string as exp', { exp: 'never' }],
    ['nbf ahead', { nbf: NOW_SECONDS + 30 }],
    ['a number as nonce', { nonce: 1 }],
    ['null as nonce', { nonce: null }],
  ])('invalid_dpop_proof is the answer for the claims: %s', async (_name, more) => {
    expect(await checkClaims(more)).toBe('invalid_dpop_proof')
  })

  test.each([
    ['missing', undefined],
    ['of another token', sha256Base64url('another')],
    ['padded', `${sha256Base64url('token')}=`],
    ['in hex', Buffer.from(sha256Base64url('token'), 'base64url').toString('hex')],
  ])('invalid_dpop_proof is the answer when ath is %s', async (_name, ath) => {
    expect(await checkClaims({ ath }, { accessToken: 'token' })).toBe('invalid_dpop_proof')
    expect(await checkClaims({ ath: sha256Base64url('token') }, { accessToken: 'token' })).toBe('accepted')
  })
})

describe('invalid_token', () => {
  test('invalid_token is the answer when the access token is bound to another key', async () => {
    expect(await checkClaims({}, { boundKey: ed25519Key().kid })).toBe('invalid_token')
    expect(await checkClaims({}, { boundKey: key.kid })).toBe('accepted')
  })
})

describe('use_dpop_nonce', () => {
  const nonces = createNonceSource([Buffer.alloc(32, 7)])
  const isNonceValid = (nonce: string) => nonces.isValid(nonce, NOW)
  const required = { nonceRequired: true, isNonceValid }

  test('use_dpop_nonce is the answer when a nonce is required and absent, stale, foreign or endless', async () => {
    expect(await checkClaims({}, required)).toBe('use_dpop_nonce')
    expect(await checkClaims({ nonce: '' }, required)).toBe('use_dpop_nonce')
    expect(await checkClaims({ nonce: 'n'.repeat(2_000) }, required)).toBe('use_dpop_nonce')
    expect(await checkClaims({ nonce: nonces.current(new Date(NOW.getTime() - 200_000)) }, required)).toBe(
      'use_dpop_nonce',
    )
    expect(await checkClaims({ nonce: nonces.current(NOW) }, required)).toBe('accepted')
  })

  test('use_dpop_nonce is the answer when a nonce is optional and the one given is not ours', async () => {
    expect(await checkClaims({ nonce: 'foreign' }, { isNonceValid })).toBe('use_dpop_nonce')
    expect(await checkClaims({}, { isNonceValid })).toBe('accepted')
  })

  test('a nonce that nothing judges is never accepted while one is required', async () => {
    expect(await checkClaims({ nonce: 'any' }, { nonceRequired: true })).toBe('use_dpop_nonce')
    const proof = signProof(key, { ...claims, nonce: 'any' })
    expect((await verifyDpopProof(proof, expected)).nonce).toBe('any')
  })

  test('use_dpop_nonce comes last: a proof that is wrong otherwise is never challenged', async () => {
    expect(await checkClaims({ htm: 'GET' }, required)).toBe('invalid_dpop_proof')
    expect(await checkClaims({ iat: NOW_SECONDS - 3_600 }, required)).toBe('invalid_dpop_proof')
    expect(await check(rawJws({ ...header, jwk: ed25519Key().jwk }, claims, key), required)).toBe('invalid_dpop_proof')
    expect(await checkClaims({ nonce: 1 }, required)).toBe('invalid_dpop_proof')
  })
})

import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { compactVerify, importJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { encodeBase64url } from './encoding'
import { CLIENT_ALGORITHMS, decodeJws, isEd25519Signature, isP256Signature, signBytes, signJws, verifyJws } from './jws'
import { codeOf, ed25519Key, p256Key, rawJws } from './test-support'

const ed25519 = ed25519Key()
const p256 = p256Key()
const verification = { key: ed25519.publicKey, algorithms: CLIENT_ALGORITHMS }
const part = (value: unknown) => encodeBase64url(JSON.stringify(value))

describe('RFC 8037 appendix A.4', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  const signingInput = Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc')
  const signature = 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg'

  test('the signature is the one we make and the one we take', () => {
    const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
    expect(encodeBase64url(signBytes(signingInput, createPrivateKey({ key: { ...key, d }, format: 'jwk' })))).toBe(
      signature,
    )
    const publicKey = createPublicKey({ key, format: 'jwk' })
    expect(isEd25519Signature(publicKey, signingInput, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(isEd25519Signature(publicKey, Buffer.from('another'), Buffer.from(signature, 'base64url'))).toBe(false)
  })

  test('its payload is no JSON object, so it is no JWT', () => {
    expect(codeOf(() => decodeJws(`${signingInput.toString()}.${signature}`))).toBe('malformed')
  })
})

describe('what we sign', () => {
  test.each([
    ['EdDSA', ed25519],
    ['ES256', p256],
  ])('verifies with jose: %s', async (alg, key) => {
    const jwt = signJws({ header: { typ: 'JWT' }, payload: { sub: 'ü' }, key })
    const { payload, protectedHeader } = await compactVerify(jwt, await importJWK({ ...key.jwk }, alg))
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ sub: 'ü' })
    expect(protectedHeader).toEqual({ alg, typ: 'JWT', kid: key.kid })
    expect(codeOf(() => verifyJws(decodeJws(jwt), { key: key.publicKey, algorithms: CLIENT_ALGORITHMS }))).toBe(
      'accepted',
    )
  })

  test('needs a key of a supported type', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    expect(codeOf(() => signJws({ header: { typ: 'JWT' }, payload: {}, key: { privateKey } }))).toBe(
      'invalid_signature',
    )
  })
})

describe('what jose signs', () => {
  test.each([
    ['EdDSA', ed25519],
    ['Ed25519', ed25519],
    ['ES256', p256],
  ])('verifies here: %s', async (alg, key) => {
    const jws = decodeJws(await new SignJWT({ a: 1 }).setProtectedHeader({ alg, kid: 'k' }).sign(key.privateKey))
    expect(jws.header).toEqual({ alg, kid: 'k' })
    expect(jws.payload).toEqual({ a: 1 })
    expect(codeOf(() => verifyJws(jws, { key: key.publicKey, algorithms: CLIENT_ALGORITHMS }))).toBe('accepted')
  })

  test('RS256 verifies only where the legacy window is named, and with 2048 bits or more', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jws = decodeJws(await new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).sign(privateKey))
    const check = (key: typeof publicKey, allowRs256?: boolean) =>
      codeOf(() =>
        verifyJws(jws, { key, algorithms: CLIENT_ALGORITHMS, ...(allowRs256 !== undefined && { allowRs256 }) }),
      )
    expect([check(publicKey), check(publicKey, false), check(publicKey, true)]).toEqual([
      'invalid_signature',
      'invalid_signature',
      'accepted',
    ])
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    expect(check(short, true)).toBe('invalid_signature')
    expect(check(ed25519.publicKey, true)).toBe('invalid_signature')
  })
})

describe('a JWS is refused', () => {
  const good = rawJws({ alg: 'EdDSA' }, {}, ed25519)
  const [header, payload, signature] = good.split('.')

  test.each([
    ['nothing', ''],
    ['two segments', `${header}.${payload}`],
    ['four segments', `${good}.AA`],
    ['a dot at the end', `${good}.`],
    ['no signature', `${header}.${payload}.`],
    ['no payload', `${header}..${signature}`],
    ['no header', `.${payload}.${signature}`],
    ['a padded segment', `${good}=`],
    ['a space', ` ${good}`],
    ['a header that is no object', `${part([])}.${payload}.${signature}`],
    ['a header without alg', `${part({})}.${payload}.${signature}`],
    ['a number as alg', `${part({ alg: 1 })}.${payload}.${signature}`],
    ['a number as typ', `${part({ alg: 'EdDSA', typ: 1 })}.${payload}.${signature}`],
    ['a number as kid', `${part({ alg: 'EdDSA', kid: 1 })}.${payload}.${signature}`],
    ['a crit extension', `${part({ alg: 'EdDSA', crit: ['exp'], exp: 1 })}.${payload}.${signature}`],
    ['an empty crit', `${part({ alg: 'EdDSA', crit: [] })}.${payload}.${signature}`],
    ['b64', `${part({ alg: 'EdDSA', b64: true })}.${payload}.${signature}`],
    ['an array as payload', `${header}.${part([1])}.${signature}`],
    ['more than 8 KiB', `${header}.${part({ a: 'a'.repeat(8_192) })}.${signature}`],
  ])('for its form: %s', (_name, jws) => {
    expect(codeOf(() => decodeJws(jws))).toBe('malformed')
  })

  test.each([
    ['alg none', rawJws({ alg: 'none' }, {}, ed25519)],
    ['HS256', rawJws({ alg: 'HS256' }, {}, ed25519)],
    ['a lower-case alg', rawJws({ alg: 'eddsa' }, {}, ed25519)],
    ['another key', rawJws({ alg: 'EdDSA' }, {}, ed25519Key())],
    ['an alg of another key type', rawJws({ alg: 'ES256' }, {}, ed25519)],
    ['a changed payload', `${header}.${part({ a: 1 })}.${signature}`],
    ['a short signature', `${header}.${payload}.${encodeBase64url(Buffer.alloc(63))}`],
    ['a long signature', `${header}.${payload}.${encodeBase64url(Buffer.alloc(65))}`],
  ])('for its signature: %s', (_name, jws) => {
    expect(codeOf(() => verifyJws(decodeJws(jws), verification))).toBe('invalid_signature')
  })

  test('for an algorithm outside the list', () => {
    const jws = decodeJws(rawJws({ alg: 'ES256' }, {}, p256))
    expect(codeOf(() => verifyJws(jws, { key: p256.publicKey, algorithms: ['EdDSA'] }))).toBe('invalid_signature')
  })

  test('for a P-256 signature in DER, or under a key of another curve', () => {
    const data = Buffer.from('data')
    expect(isP256Signature(p256.publicKey, data, signBytes(data, p256.privateKey))).toBe(true)
    expect(isP256Signature(p256.publicKey, data, Buffer.alloc(70, 1))).toBe(false)
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
    expect(codeOf(() => isP256Signature(p384, data, Buffer.alloc(64)))).toBe('invalid_signature')
    expect(codeOf(() => isEd25519Signature(p256.publicKey, data, Buffer.alloc(64)))).toBe('invalid_signature')
  })

  test('when it is checked against a private or a secret key', () => {
    expect(codeOf(() => verifyJws(decodeJws(good), { ...verification, key: ed25519.privateKey }))).toBe(
      'invalid_signature',
    )
  })
})

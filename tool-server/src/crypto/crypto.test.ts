import { createHash } from 'node:crypto'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { createClientAssertion } from './client-assertion.js'
import { createDpopProof } from './dpop.js'
import { createPresentation } from './key-binding.js'
import { importKey, mintKey } from './keys.js'
import { verifyMandate } from './mandate.js'
import { checkMerchantReceipt, verifyOwnReceipt, verifyReceipt } from './receipt.js'

const jwk = mintKey()
const key = importKey(jwk)
const issuer = 'https://as.example'
const merchant = 'https://shop.example'

describe('keys', () => {
  test('the thumbprint is that of RFC 7638', async () => {
    expect(key.thumbprint).toBe(await calculateJwkThumbprint(key.publicJwk))
  })

  test('the public half has no private member', () => {
    expect(Object.keys(key.publicJwk).toSorted()).toEqual(['crv', 'kty', 'x'])
  })

  test('C48 a minted key is the pair that signs, and never the same one', async () => {
    const signed = await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(await importJWK(jwk, 'EdDSA'))
    const { d: _d, ...publicHalf } = jwk
    await expect(jwtVerify(signed, await importJWK(publicHalf, 'EdDSA'))).resolves.toBeDefined()
    expect(mintKey()).not.toEqual(jwk)
  })

  test('C48 a key is read as RFC 8037 writes it', () => {
    const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
    expect(importKey({ kty: 'OKP', crv: 'Ed25519', d, x }).thumbprint).toBe(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    )
  })

  test('halves of different pairs are refused', () => {
    expect(() => importKey({ ...jwk, x: mintKey().x })).toThrow('the key has parts that do not belong together')
  })
})

describe('DPoP proof', () => {
  test('binds method, URL without query, nonce and token', async () => {
    const target = { method: 'POST', url: 'https://as.example/oauth/par?x=1#f', nonce: 'n-1', accessToken: 'token' }
    const proof = await createDpopProof(key, target)
    const { payload, protectedHeader } = await jwtVerify(proof, await importJWK(key.publicJwk, 'EdDSA'), {
      typ: 'dpop+jwt',
      algorithms: ['EdDSA'],
      maxTokenAge: 5,
    })
    expect(protectedHeader.jwk).toEqual(key.publicJwk)
    expect(payload).toMatchObject({
      htm: 'POST',
      htu: 'https://as.example/oauth/par',
      nonce: 'n-1',
      ath: createHash('sha256').update('token').digest('base64url'),
    })
    expect(payload.jti).toHaveLength(36)
  })

  test('is made for each request and leaves out what is not given', async () => {
    const target = { method: 'GET', url: 'https://as.example/' }
    const [first, second] = [await createDpopProof(key, target), await createDpopProof(key, target)]
    expect(first).not.toBe(second)
    const { payload } = await jwtVerify(first, await importJWK(key.publicJwk, 'EdDSA'))
    expect(Object.keys(payload).toSorted()).toEqual(['htm', 'htu', 'iat', 'jti'])
  })
})

test('a client assertion names the client twice and the issuer alone', async () => {
  const assertion = await createClientAssertion(key, { clientId: 'agent-1', issuer })
  const { payload, protectedHeader } = await jwtVerify(assertion, await importJWK(key.publicJwk, 'EdDSA'), {
    issuer: 'agent-1',
    subject: 'agent-1',
    audience: issuer,
    typ: 'JWT',
  })
  expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: key.thumbprint })
  expect(payload.aud).toBe(issuer)
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60)
})

const server = await generateKeyPair('EdDSA')
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(server.publicKey)), kid: 'k1', alg: 'EdDSA' }] })
const expected = { issuer, merchant, amountMinor: 1200, currency: 'EUR', jkt: key.thumbprint }
const disclosure = (name: string, value: unknown) =>
  Buffer.from(JSON.stringify(['salt', name, value])).toString('base64url')
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
const lineItems = disclosure('line_items', [{ sku: 'book', qty: 1 }])
const principal = disclosure('principal', 'reference')

function signMandate(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
  const plain = { amount_minor: 1200, currency: 'EUR', cnf: { jkt: key.thumbprint }, aud: merchant, iss: issuer }
  return new SignJWT({
    ...plain,
    jti: 'm-1',
    _sd_alg: 'sha-256',
    _sd: [digest(lineItems), digest(principal)],
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: 'k1', ...header })
    .setExpirationTime('5m')
    .sign(server.privateKey)
}

describe('mandate', () => {
  test('a genuine one is taken, whatever the spelling of the merchant', async () => {
    const mandate = `${await signMandate()}~${lineItems}~${principal}~`
    const verified = await verifyMandate(mandate, keys, { ...expected, merchant: 'https://SHOP.example:443/' })
    expect(verified).toMatchObject({ mandateId: 'm-1', audience: merchant })
  })

  test.each([
    ['another amount', { amount_minor: 1201 }, {}],
    ['another amount', { currency: 'USD' }, {}],
    ['another amount', { amount_minor: undefined }, {}],
    ['another merchant', { aud: 'https://evil.example' }, {}],
    ['another merchant', { aud: [merchant] }, {}],
    ['another key', { cnf: { jkt: 'x' } }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['another type', {}, { typ: 'vc+sd-jwt' }],
    ['unknown key', {}, { kid: 'k2' }],
  ])('%s is refused', async (reason, claims, header) => {
    const mandate = `${await signMandate(claims, header)}~${lineItems}~`
    await expect(verifyMandate(mandate, keys, expected)).rejects.toThrow(reason)
  })

  test('a rejected algorithm is refused before any key is looked for', async () => {
    const forged = await new SignJWT({}).setProtectedHeader({ alg: 'HS256', typ: 'dc+sd-jwt' }).sign(new Uint8Array(32))
    await expect(verifyMandate(`${forged}~`, keys, expected)).rejects.toThrow('rejected algorithm (HS256)')
  })

  test('disclosures that nobody signed or that override are refused', async () => {
    const foreign = disclosure('caps', {})
    await expect(verifyMandate(`${await signMandate()}~${foreign}~`, keys, expected)).rejects.toThrow('malformed')
    await expect(verifyMandate(`${await signMandate()}~${lineItems}~${lineItems}~`, keys, expected)).rejects.toThrow(
      'malformed',
    )
    const overriding = disclosure('aud', 'https://evil.example')
    const mandate = `${await signMandate({ _sd: [digest(overriding)] })}~${overriding}~`
    await expect(verifyMandate(mandate, keys, expected)).rejects.toThrow('malformed')
  })

  test('without its last tilde it is refused', async () => {
    await expect(verifyMandate(await signMandate(), keys, expected)).rejects.toThrow('not an SD-JWT')
  })
})

test('a presentation binds what it shows to merchant and nonce, and withholds who pays', async () => {
  const mandate = `${await signMandate()}~${lineItems}~${principal}~`
  const presentation = await createPresentation(key, mandate, { audience: merchant, nonce: 'm-nonce' })
  const parts = presentation.split('~')
  expect(parts).toHaveLength(3)
  expect(parts[1]).toBe(lineItems)
  const binding = parts[2] ?? ''
  const { payload } = await jwtVerify(binding, await importJWK(key.publicJwk, 'EdDSA'), {
    typ: 'kb+jwt',
    audience: merchant,
    maxTokenAge: 5,
  })
  expect(decodeProtectedHeader(binding).alg).toBe('EdDSA')
  const bound = presentation.slice(0, presentation.lastIndexOf('~') + 1)
  expect(payload).toMatchObject({ nonce: 'm-nonce', sd_hash: digest(bound), aud: merchant })
})

describe('receipt', () => {
  const facts = { issuer, mandateId: 'm-1', merchant, amountMinor: 1200, currency: 'EUR' }
  const sign = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({ iss: issuer, aud: merchant, mandate_id: 'm-1', amount_minor: 1200, currency: 'EUR', ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'payment-receipt+jwt', kid: 'k1', ...header })
      .sign(server.privateKey)

  test('a genuine one of this payment is taken', async () => {
    await expect(verifyReceipt(await sign(), keys, facts)).resolves.toBeUndefined()
  })

  test.each([{ amount_minor: 1 }, { currency: 'USD' }, { mandate_id: 'm-2' }, { aud: 'https://evil.example' }])(
    'one of another payment is refused: %o',
    async (claims) => {
      await expect(verifyReceipt(await sign(claims), keys, facts)).rejects.toThrow('another payment')
    },
  )

  test("a merchant's own receipt is told from one of the authorization server", async () => {
    expect(await checkMerchantReceipt(await sign(), keys, facts)).toBe(true)
    const own = await sign({ iss: merchant }, { kid: 'merchant', typ: 'JWT' })
    expect(await checkMerchantReceipt(own, keys, facts)).toBe(false)
    await expect(checkMerchantReceipt(await sign({ amount_minor: 1 }), keys, facts)).rejects.toThrow('another payment')
  })

  test.each(['hello', 'receipt 17', '', 'a.b', 'a.b.c', '{}.{}.{}'])('%j is no receipt at all', async (receipt) => {
    await expect(checkMerchantReceipt(receipt, keys, facts)).rejects.toThrow('refused a malformed receipt')
  })

  test('one that says it is of the authorization server must be', async () => {
    const unknown = await sign({}, { kid: 'merchant' })
    await expect(checkMerchantReceipt(unknown, keys, facts)).rejects.toThrow('signed with an unknown key')
    const retyped = await sign({}, { typ: 'JWT' })
    await expect(checkMerchantReceipt(retyped, keys, facts)).rejects.toThrow('of another type')
    const forged = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    await expect(checkMerchantReceipt(forged, keys, facts)).rejects.toThrow('rejected algorithm')
  })

  test("a merchant's own is held to keys that are surely the merchant's, and to this payment", async () => {
    const till = { ...(await exportJWK(server.publicKey)), kid: 'till' }
    const own = (claims: Record<string, unknown> = {}) =>
      sign({ iss: merchant, ...claims }, { kid: 'till', typ: 'JWT' })
    await expect(verifyOwnReceipt(await own(), [till], facts)).resolves.toBeUndefined()
    await expect(verifyOwnReceipt(await own({ currency: 'USD' }), [till], facts)).rejects.toThrow('another payment')
    await expect(verifyOwnReceipt(await own(), [], facts)).rejects.toThrow('signed with an unknown key')
    const [header, , signature] = (await own()).split('.')
    const changed = [header, Buffer.from('{}').toString('base64url'), signature].join('.')
    await expect(verifyOwnReceipt(changed, [till], facts)).rejects.toThrow('ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
  })

  test("a merchant's own that names no key is signed with one of several", async () => {
    const others = await Promise.all([generateKeyPair('EdDSA'), generateKeyPair('EdDSA')])
    const [before, after] = await Promise.all(
      others.map(async ({ publicKey }, index) => ({ ...(await exportJWK(publicKey)), kid: `till-${index}` })),
    )
    const till = { ...(await exportJWK(server.publicKey)), kid: 'till' }
    const own = await sign({ iss: merchant }, { kid: undefined, typ: 'JWT' })
    const several = [before, till, after].filter((each) => each !== undefined)
    await expect(verifyOwnReceipt(own, several, facts)).resolves.toBeUndefined()
    const foreign = several.filter(({ kid }) => kid !== 'till')
    await expect(verifyOwnReceipt(own, foreign, facts)).rejects.toThrow('ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
  })
})

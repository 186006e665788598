import { createHash, webcrypto } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { type Agent, exchange, Person } from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, withApp } from './setup'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

async function keys() {
  return createLocalJWKSet((await exchange<JSONWebKeySet>(`${app.baseUrl}/oauth/jwks.json`)).json)
}

/** The verifier of another implementation, which knows nothing of ours but the published keys. */
async function independentVerifier() {
  const jwks = await keys()
  return new SDJwtVcInstance({
    hasher: (data, algorithm) =>
      new Uint8Array(
        createHash(algorithm.replace('-', ''))
          .update(typeof data === 'string' ? data : new Uint8Array(data))
          .digest(),
      ),
    hashAlg: 'sha-256',
    saltGenerator: () => Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('base64url'),
    verifier: async (data, signature) =>
      jwtVerify(`${data}.${signature}`, jwks, { typ: 'dc+sd-jwt' }).then(
        () => true,
        () => false,
      ),
    kbVerifier: async (data, signature, payload) => {
      const jwk = (payload as { cnf: { jwk: Parameters<typeof importOkp>[0] } }).cnf.jwk
      return webcrypto.subtle.verify(
        'Ed25519',
        await importOkp(jwk),
        Buffer.from(signature, 'base64url'),
        Buffer.from(data),
      )
    },
    statusListFetcher: async (uri) => (await exchange(uri)).text,
    statusVerifier: async (data, signature) =>
      jwtVerify(`${data}.${signature}`, jwks, { typ: 'statuslist+jwt' }).then(
        () => true,
        () => false,
      ),
  })
}

const importOkp = (jwk: JsonWebKey) => webcrypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])

/** A presentation as RFC 9901 section 4.3 wants it: the SD-JWT and a key binding over it. */
async function present(mandate: string, audience: string, nonce: string): Promise<string> {
  const sdHash = createHash('sha256').update(mandate).digest('base64url')
  const binding = await new SignJWT({
    aud: audience,
    nonce,
    sd_hash: sdHash,
    iat: Math.floor(app.clock.now().getTime() / 1000),
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'kb+jwt' })
    .sign(agent.dpopKey.privateKey)
  return mandate + binding
}

const nonceOf = async (base: string) => (await exchange<{ nonce: string }>(`${base}/nonce`)).json.nonce
const verifyAt = (body: Record<string, unknown>) =>
  exchange<Record<string, string>>(`${app.baseUrl}/merchant_test/verify-mandate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }], ...body }),
  })

describe('the mandate', () => {
  test('a mandate verifies with an independent SD-JWT VC implementation, key binding and status included', async () => {
    const tokens = await agent.buy({ merchant: 'https://shop.example' })
    expect(decodeProtectedHeader(tokens.mandate_jwt.split('~')[0] ?? '')).toMatchObject({
      alg: 'EdDSA',
      typ: 'dc+sd-jwt',
    })
    const verifier = await independentVerifier()
    const presentation = await present(tokens.mandate_jwt, 'https://shop.example', 'nonce-1')
    const verified = await verifier.verify(presentation, { keyBindingNonce: 'nonce-1' })
    expect(verified.payload).toMatchObject({
      iss: app.baseUrl,
      aud: 'https://shop.example',
      jti: tokens.mandate_id,
      client_id: agent.clientId,
      amount_minor: 1200,
      currency: 'EUR',
      cnf: { jkt: agent.dpopKey.jkt, jwk: agent.dpopKey.jwk },
      line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }],
    })
    const issuer = await exchange<{ issuer: string; jwks: JSONWebKeySet }>(`${app.baseUrl}/.well-known/jwt-vc-issuer`)
    expect(issuer.json.issuer).toBe(app.baseUrl)
  })

  test('revoking a token family sets the bit of its mandate in the signed status list', async () => {
    const { code, verifier } = await agent.code({ merchant: 'https://shop.example' })
    const tokens = (await agent.redeem(code, verifier)).json
    const { idx, uri } = (
      decodeJwt(tokens.mandate_jwt.split('~')[0] ?? '') as never as {
        status: { status_list: { idx: number; uri: string } }
      }
    ).status.status_list
    expect(await bitAt(uri, idx)).toBe(0)
    await agent.redeem(code, verifier)
    expect(await bitAt(uri, idx)).toBe(1)
  })
})

async function bitAt(uri: string, index: number): Promise<number> {
  const answer = await exchange(uri, { headers: { accept: 'application/statuslist+jwt' } })
  expect(answer.headers.get('content-type')).toBe('application/statuslist+jwt')
  const { payload } = await jwtVerify(answer.text, await keys(), {
    typ: 'statuslist+jwt',
    issuer: app.baseUrl,
    subject: uri,
  })
  const list = payload['status_list'] as { bits: number; lst: string }
  const bytes = inflateSync(Buffer.from(list.lst, 'base64url'))
  return ((bytes[Math.floor(index / 8)] ?? 0) >> (index % 8)) & 1
}

describe('POST /merchant_test/verify-mandate', () => {
  test('a valid presentation is charged once, a repeat gets the first answer, and its nonce serves no other', async () => {
    const tokens = await agent.buy({ merchant: 'https://shop.example' })
    const nonce = await nonceOf(`${app.baseUrl}/merchant_test`)
    const presentation = await present(tokens.mandate_jwt, 'https://shop.example', nonce)
    const first = await verifyAt({ presentation, idempotency_key: 'legacy-1' })
    expect(first.json).toMatchObject({
      ok: true,
      mandate_id: tokens.mandate_id,
      amount_minor: 1200,
      merchant_audience: 'https://shop.example',
    })
    expect(first.json['receipt_jws']?.split('.')).toHaveLength(3)
    const replay = await verifyAt({ presentation, idempotency_key: 'legacy-1' })
    expect([replay.status, replay.json]).toEqual([200, first.json])
    const { mandate_jwt: next } = await agent.buy({ merchant: 'https://shop.example' })
    const other = await present(next, 'https://shop.example', nonce)
    const refused = await verifyAt({ presentation: other, idempotency_key: 'legacy-2' })
    expect([refused.status, refused.json['error']]).toEqual([422, 'mandate_kb_nonce_mismatch'])
    const again = await present(
      tokens.mandate_jwt,
      'https://shop.example',
      await nonceOf(`${app.baseUrl}/merchant_test`),
    )
    expect((await verifyAt({ presentation: again, idempotency_key: 'legacy-1' })).json).toMatchObject({
      payment_provider_ref: first.json['payment_provider_ref'],
    })
  })

  test('each kind of invalid presentation has its own error code', async () => {
    const tokens = await agent.buy({ merchant: 'https://shop.example' })
    const nonce = () => nonceOf(`${app.baseUrl}/merchant_test`)
    const code = async (presentation: string, more: Record<string, unknown> = {}) => {
      const answer = await verifyAt({ presentation, ...more })
      return [answer.status, answer.json['error']]
    }
    const good = await present(tokens.mandate_jwt, 'https://shop.example', await nonce())
    expect(await code(await present(tokens.mandate_jwt, 'https://else.example', await nonce()))).toEqual([
      422,
      'mandate_audience_mismatch',
    ])
    expect(await code(await present(tokens.mandate_jwt, 'https://shop.example', 'made-up'))).toEqual([
      422,
      'mandate_kb_nonce_mismatch',
    ])
    expect(await code(tokens.mandate_jwt)).toEqual([422, 'mandate_invalid'])
    expect(await code(good.replace(/\.[^.]*$/, '.AAAA'))).toEqual([422, 'mandate_invalid'])
    expect(await code(good, { offer_digest: 'x'.repeat(43) })).toEqual([422, 'offer_digest_mismatch'])
    expect((await verifyAt({})).json).toHaveProperty('detail')
    const replayed = await agent.code({ merchant: 'https://shop.example' })
    const revoked = (await agent.redeem(replayed.code, replayed.verifier)).json
    await agent.redeem(replayed.code, replayed.verifier)
    expect(await code(await present(revoked.mandate_jwt, 'https://shop.example', await nonce()))).toEqual([
      422,
      'mandate_status_revoked',
    ])
    app.clock.advance({ seconds: 301 })
    agent.forgetNonce()
    expect(await code(await present(tokens.mandate_jwt, 'https://shop.example', await nonce()))).toEqual([
      422,
      'mandate_expired',
    ])
  })

  test('a mandate of a person who has restricted processing since is 403 access_denied', async () => {
    const { mandate_jwt } = await agent.buy({ merchant: 'https://shop.example' })
    const presentation = await present(
      mandate_jwt,
      'https://shop.example',
      await nonceOf(`${app.baseUrl}/merchant_test`),
    )
    const person = await Person.signIn(app, agent.principalId, 'wallet:read wallet:write privacy:dsar')
    expect((await person.call('POST', '/privacy/dsar/restriction')).status).toBe(200)
    const refused = await verifyAt({ presentation })
    expect([refused.status, refused.json['error']]).toEqual([403, 'access_denied'])
  })
})

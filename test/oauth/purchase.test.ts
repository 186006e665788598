import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, exchange, newPrincipal, Person } from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, repeatableRedemption, withApp } from './setup'

let app: App
withApp((started) => {
  app = started
})

describe('the main line', () => {
  test('a purchase from PAR to settlement moves money once, and its receipt verifies offline', async () => {
    const agent = await readyAgent(app)
    const tokens = await agent.buy()
    expect(tokens).toMatchObject({ token_type: 'DPoP', expires_in: 300 })
    const settled = await agent.settle<Record<string, string>>(tokens.access_token, tokens.mandate_jwt, 'order-1')
    expect(settled.status, settled.text).toBe(200)
    expect(settled.json).toMatchObject({
      status: 'succeeded',
      mandate_id: tokens.mandate_id,
      amount_minor: 1200,
      currency: 'EUR',
    })
    const jwks = createRemoteJWKSet(new URL(`${app.baseUrl}/oauth/jwks.json`))
    const receipt = await jwtVerify(settled.json['receipt_jws'] ?? '', jwks, {
      typ: 'payment-receipt+jwt',
      issuer: app.baseUrl,
    })
    expect(receipt.payload).toMatchObject({ mandate_id: tokens.mandate_id, amount_minor: 1200, currency: 'EUR' })
    const replay = await agent.settle(tokens.access_token, tokens.mandate_jwt, 'order-1')
    expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([200, settled.text, 'true'])
  })

  test('J1, J2, J4 the access token has the profile of RFC 9068', async () => {
    const agent = await readyAgent(app)
    const tokens = await agent.buy()
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'EdDSA' })
    const claims = decodeJwt(tokens.access_token)
    expect(claims).toMatchObject({
      iss: app.baseUrl,
      sub: agent.clientId,
      client_id: agent.clientId,
      aud: [tokens.merchant, app.baseUrl],
      cnf: { jkt: agent.dpopKey.jkt },
      mandate_id: tokens.mandate_id,
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300)
  })

  test('a purchase at a new merchant waits for approval, and the approval is remembered', async () => {
    const { principalId } = await newPrincipal(app)
    const agent = await Agent.register(app, principalId)
    const person = await Person.signIn(app, principalId)
    const { form, verifier } = await agent.purchase()
    const pushed = await agent.push(form)
    expect(pushed.json.expires_in).toBe(900)
    const statusUrl = `${app.baseUrl}/oauth/par/${encodeURIComponent(pushed.json.request_uri)}/status`
    expect((await exchange(statusUrl)).json).toEqual({ status: 'pending' })
    const [pending] = await person.pending()
    expect(pending).toMatchObject({
      merchant_name: 'Tallow Books',
      amount_minor: 1200,
      first_purchase_at_merchant: true,
    })
    expect(JSON.stringify(pending)).not.toContain(pushed.json.request_uri.slice(-20))
    expect((await person.decide(pending?.['authorization_id'], 'approve')).json).toMatchObject({ status: 'approved' })
    expect((await person.decide(pending?.['authorization_id'], 'approve')).status).toBe(200)
    expect((await person.decide(pending?.['authorization_id'], 'decline')).status).toBe(409)
    expect((await exchange(statusUrl)).json).toEqual({ status: 'approved' })
    const { result } = await agent.authorize(pushed.json.request_uri)
    expect(result).toMatchObject({ state: 'state-1', iss: app.baseUrl })
    expect((await agent.redeem(result['code'] ?? '', verifier)).status).toBe(200)
    const again = await agent.push((await agent.purchase()).form)
    expect(again.json.expires_in).toBe(60)
  })

  test('declined and undecided requests redirect with their error', async () => {
    const { principalId } = await newPrincipal(app)
    const agent = await Agent.register(app, principalId)
    const person = await Person.signIn(app, principalId)
    const declined = await agent.push((await agent.purchase()).form)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'decline')
    expect((await agent.authorize(declined.json.request_uri)).result).toMatchObject({
      error: 'access_denied',
      error_description: 'The person declined the request.',
      state: 'state-1',
    })
    const undecided = await agent.push((await agent.purchase()).form)
    expect((await agent.authorize(undecided.json.request_uri)).result).toMatchObject({ error: 'consent_required' })
    expect((await agent.authorize(undecided.json.request_uri)).json).toMatchObject({ error: 'invalid_request_uri' })
  })

  test('wallet access is granted once by the person, and its tokens act for them', async () => {
    const { principalId } = await newPrincipal(app)
    const agent = await Agent.register(app, principalId)
    const person = await Person.signIn(app, principalId)
    const { form, verifier } = await agent.walletAccess('wallet:read')
    const pushed = await agent.push(form)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
    const { result } = await agent.authorize(pushed.json.request_uri)
    const tokens = await agent.redeem(result['code'] ?? '', verifier)
    expect(tokens.json.mandate_jwt).toBeUndefined()
    expect(decodeJwt(tokens.json.access_token).sub).toBe(principalId)
    expect((await agent.call('GET', '/wallet/limits', tokens.json.access_token)).status).toBe(200)
    const denied = await agent.call('POST', '/wallet/limits', tokens.json.access_token, {})
    expect([denied.status, denied.json['error']]).toEqual([403, 'insufficient_scope'])
    expect(denied.headers.get('www-authenticate')).toContain('scope="wallet:write"')
  })

  test('an agent-only token is refused as a wallet session', async () => {
    const agent = await readyAgent(app)
    const tokens = await agent.buy()
    const answer = await agent.call('GET', '/wallet/limits', tokens.access_token)
    expect([answer.status, answer.json['error']]).toEqual([401, 'invalid_token'])
  })
})

describe('codes and refresh tokens', () => {
  test('T2 a second redemption ends the family, the refresh token included', async () => {
    const agent = await readyAgent(app)
    const { code, verifier } = await agent.code()
    const first = await agent.redeem(code, verifier)
    const second = await agent.redeem(code, verifier)
    expect([second.status, second.json]).toMatchObject([400, { error: 'invalid_grant' }])
    expect((await agent.refresh(first.json.refresh_token)).json).toMatchObject({ error: 'invalid_grant' })
    const settle = await agent.settle(first.json.access_token, first.json.mandate_jwt, 'k')
    expect(settle.status).toBe(401)
  })

  test('T4 a code is valid for 60 seconds', async () => {
    const agent = await readyAgent(app)
    const { code, verifier } = await agent.code()
    app.clock.advance({ seconds: 61 })
    agent.forgetNonce()
    expect((await agent.redeem(code, verifier)).json).toMatchObject({ error: 'invalid_grant' })
  })

  test('T6, T8, T10, T11 a refused redemption leaves the code usable', async () => {
    const agent = await readyAgent(app)
    const { code, verifier } = await agent.code()
    const other = await readyAgent(app)
    expect((await other.redeem(code, verifier)).json).toMatchObject({ error: 'invalid_grant' })
    expect((await agent.redeem(code, 'x'.repeat(43))).json).toMatchObject({ error: 'invalid_grant' })
    expect((await agent.redeem(code, verifier, { redirect_uri: undefined })).json).toMatchObject({
      error: 'invalid_request',
    })
    expect((await agent.redeem(code, verifier, { redirect_uri: 'http://127.0.0.1:8765/else' })).json).toMatchObject({
      error: 'invalid_grant',
    })
    expect((await agent.redeem(code, verifier, { resource: 'https://else.example' })).json).toMatchObject({
      error: 'invalid_target',
    })
    const stranger = new Agent(app, agent.clientId, agent.key, other.dpopKey, agent.principalId)
    expect((await stranger.redeem(code, verifier)).json).toMatchObject({ error: 'invalid_grant' })
    const narrowed = await agent.redeem(code, verifier, { resource: app.baseUrl })
    expect(narrowed.status, narrowed.text).toBe(200)
    expect(decodeJwt(narrowed.json.access_token).aud).toBe(app.baseUrl)
  })

  test('R1, R2, R7 a refresh rotates the token, restores the full audience, and reuse ends the family', async () => {
    const agent = await readyAgent(app)
    const tokens = await agent.buy()
    const narrow = await agent.refresh(tokens.refresh_token, { resource: app.baseUrl })
    expect(narrow.status, narrow.text).toBe(200)
    expect(narrow.json.mandate_jwt).toBeUndefined()
    expect(decodeJwt(narrow.json.access_token).aud).toBe(app.baseUrl)
    const full = await agent.refresh(narrow.json.refresh_token)
    expect(decodeJwt(full.json.access_token).aud).toEqual([tokens.merchant, app.baseUrl])
    expect((await agent.refresh(tokens.refresh_token)).json).toMatchObject({ error: 'invalid_grant' })
    expect((await agent.refresh(full.json.refresh_token)).json).toMatchObject({ error: 'invalid_grant' })
  })

  test('R5, R6 a refresh that asks for more consumes nothing', async () => {
    const agent = await readyAgent(app)
    const tokens = await agent.buy()
    expect((await agent.refresh(tokens.refresh_token, { scope: 'openid wallet:read' })).json).toMatchObject({
      error: 'invalid_scope',
    })
    expect((await agent.refresh(tokens.refresh_token, { resource: 'https://x.example' })).json).toMatchObject({
      error: 'invalid_target',
    })
    expect((await agent.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('A8, T3, R3 of many parallel requests with one handle, code or token exactly one succeeds', async () => {
    const agent = await readyAgent(app)
    const { form, verifier } = await agent.purchase()
    const pushed = await agent.push(form)
    const redirects = await Promise.all(Array.from({ length: 16 }, () => agent.authorize(pushed.json.request_uri)))
    const won = redirects.filter((one) => one.status === 302)
    expect(won).toHaveLength(1)
    const code = won[0]?.result['code'] ?? ''
    const redeemed = await Promise.all(Array.from({ length: 16 }, () => agent.redeem(code, verifier)))
    expect(redeemed.filter((one) => one.status === 200)).toHaveLength(1)
    expect(redeemed.filter((one) => one.status === 400)).toHaveLength(15)
    const tokens = await agent.buy()
    const refreshed = await Promise.all(Array.from({ length: 16 }, () => agent.refresh(tokens.refresh_token)))
    expect(refreshed.filter((one) => one.status === 200)).toHaveLength(1)
    expect(refreshed.every((one) => one.status === 200 || one.status === 400)).toBe(true)
  })
})

describe('Idempotency-Key at the token endpoint', () => {
  test('T15, R4 an identical request under the same Idempotency-Key gets the identical answer', async () => {
    const agent = await readyAgent(app)
    const send = await repeatableRedemption(agent)
    const first = await send('key-1')
    const again = await send('key-1')
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.text).toBe(first.text)
    const refresh = {
      client_assertion: await agent.assertion(),
      grant_type: 'refresh_token',
      refresh_token: first.json.refresh_token,
    }
    const rotated = await agent.mint('/oauth/token', refresh, { 'idempotency-key': 'key-2' })
    const repeated = await agent.mint('/oauth/token', refresh, { 'idempotency-key': 'key-2' })
    expect([rotated.status, repeated.text]).toEqual([200, rotated.text])
  })

  test('T15 of many parallel requests under one key one runs, and the others get its answer or 409', async () => {
    const send = await repeatableRedemption(await readyAgent(app))
    const answers = await Promise.all(Array.from({ length: 12 }, () => send('key-1')))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(0)
    expect(new Set(good.map(({ text }) => text)).size).toBe(1)
    expect(
      answers.every(
        ({ status, json }) => status === 200 || (json as never as { error: string }).error === 'idempotency_in_flight',
      ),
    ).toBe(true)
  })

  test('T16 under a used key another body is 409, another proof key is 400, and another client is independent', async () => {
    const agent = await readyAgent(app)
    const send = await repeatableRedemption(agent)
    expect((await send('key-1')).status).toBe(200)
    expect([
      (await send('key-1', { scope: 'openid' })).status,
      (await send('key-1', { scope: 'openid' })).json,
    ]).toMatchObject([409, { error: 'idempotency_conflict' }])
    const otherKey = new Agent(app, agent.clientId, agent.key, (await readyAgent(app)).dpopKey, agent.principalId)
    const dpop = await otherKey.freshNonce().then(() => otherKey.proof('POST', `${app.baseUrl}/oauth/token`))
    expect((await send('key-1', {}, { dpop })).json).toMatchObject({ error: 'invalid_request' })
    expect((await send('x'.repeat(256))).json).toMatchObject({ error: 'invalid_request' })
    expect((await (await repeatableRedemption(await readyAgent(app)))('key-1')).status).toBe(200)
  })

  test('T16, T17 refusals are not stored, a revoked family gets no stored answer, and an answer is deleted with its access token', async () => {
    const agent = await readyAgent(app)
    const send = await repeatableRedemption(agent)
    expect((await send('key-1', { code_verifier: 'x'.repeat(43) })).json).toMatchObject({ error: 'invalid_grant' })
    const good = await send('key-1')
    expect(good.status).toBe(200)
    await agent.refresh(good.json.refresh_token)
    await agent.refresh(good.json.refresh_token)
    expect((await send('key-1')).json).toMatchObject({ error: 'invalid_grant' })
    app.clock.advance({ seconds: 301 })
    agent.forgetNonce()
    const rows = await app.platform.db.query<{ sealed_reply: string }>(sql`SELECT sealed_reply FROM idempotent_replies`)
    expect(JSON.stringify(rows)).not.toContain(good.json.refresh_token)
  })
})

describe('proofs', () => {
  test('D21, D25 the nonce challenge consumes nothing, and every answer carries the next nonce', async () => {
    const agent = await readyAgent(app)
    const { form } = await agent.purchase()
    const assertion = await agent.assertion()
    await agent.freshNonce()
    const url = `${app.baseUrl}/oauth/par`
    const without = await agent.mint(
      '/oauth/par',
      { ...form, client_assertion: assertion },
      { dpop: await agent.proof('POST', url, { nonce: undefined }) },
    )
    expect([without.status, without.json]).toMatchObject([400, { error: 'use_dpop_nonce' }])
    expect(without.headers.get('dpop-nonce')).toBeTruthy()
    const retried = await agent.mint('/oauth/par', { ...form, client_assertion: assertion })
    expect(retried.status, retried.text).toBe(201)
    expect(retried.headers.get('dpop-nonce')).toBeTruthy()
  })

  test('D19, C7 a proof and an assertion can be used once', async () => {
    const agent = await readyAgent(app)
    await agent.freshNonce()
    const url = `${app.baseUrl}/oauth/par`
    const dpop = await agent.proof('POST', url)
    const assertion = await agent.assertion()
    const { form } = await agent.purchase()
    expect((await agent.mint('/oauth/par', { ...form, client_assertion: assertion }, { dpop })).status).toBe(201)
    expect((await agent.mint('/oauth/par', form, { dpop })).json).toMatchObject({ error: 'invalid_dpop_proof' })
    expect((await agent.mint('/oauth/par', { ...form, client_assertion: assertion })).json).toMatchObject({
      error: 'invalid_client',
    })
  })
})

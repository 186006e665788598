/** Decisions D10 and D11: how a wallet answers a presentation request, and how its maker learns the outcome. */
import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sweepExpired } from '@/server/sweep'
import { scanDatabase } from '../privacy/scan'
import { countStatuses, exchange, must, newKey, newWalletClient, operate } from '../support/actors'
import { startApp } from '../support/app'
import { openTestDatabase } from '../support/database'
import * as w from './request-world'
import { encryptResponse, fetchRequest, postForm, respond } from './wallet'

let world: w.World
w.withWorld((opened) => {
  world = opened
})

const asked = async (more: Record<string, unknown> = {}) => {
  const request = await w.newRequest(world.app, more)
  return { request, claims: (await fetchRequest(request.deep_link)).claims }
}
const outcome = async (request: w.CreatedRequest) => must(await w.readResult(world.app, request), 200)

describe('a response that verifies', () => {
  test('D10 is answered 200 {} without being stored, and D11 its maker reads the body of verify', async () => {
    const request = await w.newRequest(world.app, { region: w.REGION })
    expect(await outcome(request)).toEqual({ request_id: w.idOf(request), state: request.state, status: 'pending' })
    const taken = await w.answer(world, request)
    expect([taken.status, taken.text, taken.headers.get('cache-control')]).toEqual([200, '{}', 'no-store'])
    const read = await w.readResult(world.app, request)
    expect(read.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(read.json)).toEqual(['request_id', 'state', 'status', 'result'])
    expect(read.json).toMatchObject({
      status: 'verified',
      result: {
        verified: true,
        vct: w.VCT,
        region: w.REGION,
        claims: { given_name: 'Ada' },
        holder: { jkt: world.holder.jkt },
        nonce: request.nonce,
        status: 'valid',
        presentations: [{ id: 'pid' }],
      },
    })
    expect(read.json.result?.claims).not.toHaveProperty('nationalities')
  })

  test.each(['A128GCM', 'A256GCM'])('D10 may be encrypted with %s', async (enc) => {
    const { claims } = await asked()
    const vp = { vp_token: { pid: [await w.present(world, claims)] } }
    expect((await respond(claims, vp, { enc })).status).toBe(200)
  })

  test('D10 comes in clear where the request says direct_post', async () => {
    const { request, claims } = await asked({ response_mode: 'direct_post' })
    const vpToken = JSON.stringify({ pid: [await w.present(world, claims)] })
    expect((await postForm(claims.response_uri, { vp_token: vpToken, state: claims.state })).status).toBe(200)
    expect((await outcome(request)).status).toBe('verified')
  })

  test('D10, D3 may hold the object of vp_token as JSON text inside the encryption', async () => {
    const { request, claims } = await asked()
    const vpToken = JSON.stringify({ pid: [await w.present(world, claims)] })
    expect((await respond(claims, { vp_token: vpToken })).status).toBe(200)
    expect((await outcome(request)).status).toBe('verified')
  })

  test('D10 with transaction data carries its hash', async () => {
    const data = { offer_digest: 'x', amount_minor: 1200, currency: 'EUR' }
    const request = await w.newRequest(world.app, { transaction_data: data })
    expect((await w.answer(world, request)).status).toBe(200)
    expect((await outcome(request)).result?.['transaction_data_hashes']).toHaveLength(1)
  })

  test('D10 a query of two credentials, one with multiple, is answered by three presentations', async () => {
    const [pid] = w.query()['credentials'] as object[]
    const both = {
      credentials: [
        { ...pid, multiple: true },
        { ...pid, id: 'other' },
      ],
    }
    const { request, claims } = await asked({ dcql_query: both })
    const one = await w.present(world, claims)
    expect((await respond(claims, { vp_token: { pid: [one, one], other: [one] } })).status).toBe(200)
    expect((await outcome(request)).result?.presentations.map(({ id }) => id)).toEqual(['pid', 'pid', 'other'])
  })
})

type JsonRecord = Readonly<Record<string, unknown>>

describe('a response of two credentials with transaction data', () => {
  const [pid] = w.query()['credentials'] as object[]
  const answerBoth = async (
    one: JsonRecord,
    other: JsonRecord,
    data: JsonRecord = { amount_minor: 1_200, currency: 'EUR' },
  ) => {
    const query = { credentials: [pid, { ...pid, id: 'other' }] }
    const { request, claims } = await asked({ dcql_query: query, transaction_data: data })
    const vpToken = { pid: [await w.present(world, claims, one)], other: [await w.present(world, claims, other)] }
    const taken = await respond(claims, { vp_token: vpToken })
    return { code: [taken.status, taken.json['error']], outcome: await outcome(request) }
  }
  const unsigned = { transactionData: undefined }
  const wrong = { transactionData: ['bm90IHRoaXM'] }

  test.each([
    ['first', {}, unsigned, [true, false]],
    ['second', unsigned, {}, [false, true]],
  ])('D10 verifies with the hash in the %s alone', async (_name, one, other, expected) => {
    const { code, outcome: read } = await answerBoth(one, other)
    expect(code).toEqual([200, undefined])
    expect(read.result?.presentations.map((part) => 'transaction_data_hashes' in part)).toEqual(expected)
  })

  test.each([
    ['none of them has', unsigned, unsigned],
    ['is wrong in the first', wrong, {}],
    ['is wrong in the second', {}, wrong],
    ['is wrong in one and missing in the other', wrong, unsigned],
  ])('D10 a hash that %s: vp_token_invalid', async (_name, one, other) => {
    const { code, outcome: read } = await answerBoth(one, other)
    expect(code).toEqual([400, 'vp_token_invalid'])
    expect(read).toMatchObject({ status: 'rejected', error: 'vp_token_invalid' })
  })

  test('D10 says how the wallet authenticated its holder where the hash is', async () => {
    const payee = { name: 'Tallow Books', id: 'IE29AIBK93115212345678' }
    const payment = {
      type: 'urn:eudi:sca:payment:1',
      transaction_id: 't-1',
      payee,
      amount_minor: 1_200,
      currency: 'EUR',
    }
    const strong = { payload: { jti: 'code-1', amr: [{ knowledge: 'pattern' }, { possession: 'other' }] } }
    expect((await answerBoth(strong, unsigned, payment)).code).toEqual([200, undefined])
    expect((await answerBoth({}, { ...unsigned, ...strong }, payment)).code).toEqual([400, 'vp_token_invalid'])
  })
})

describe('a response that is read and does not verify ends the request', () => {
  type Case = [name: string, code: string, make: (claims: Parameters<typeof respond>[0]) => Promise<unknown>]
  const presented = (changes: Record<string, unknown>) => async (claims: Parameters<typeof respond>[0]) => ({
    pid: [await w.present(world, claims, changes)],
  })
  test.each<Case>([
    ['another nonce', 'nonce_mismatch', presented({ nonce: 'other' })],
    ['another audience', 'audience_mismatch', presented({ aud: 'x509_hash:other' })],
    ['the issuer as audience', 'audience_mismatch', async (claims) => presented({ aud: world.app.baseUrl })(claims)],
    ['a claim that is not disclosed', 'vp_token_invalid', presented({ disclose: ['nationalities'] })],
    ['no key binding', 'holder_binding_missing', async () => ({ pid: [world.sdJwt] })],
    ['an unknown query id', 'vp_token_invalid', async (claims) => ({ other: [await w.present(world, claims)] })],
    [
      'a text in the place of an array',
      'vp_token_invalid',
      async (claims) => ({ pid: await w.present(world, claims) }),
    ],
    ['an empty object', 'vp_token_invalid', async () => ({})],
    ['an array', 'vp_token_invalid', async (claims) => [await w.present(world, claims)]],
    ['no vp_token', 'vp_token_invalid', async () => undefined],
    ['rubbish', 'vp_token_invalid', async () => ({ pid: ['a.b.c~'] })],
    [
      'two presentations without multiple',
      'vp_token_invalid',
      async (claims) => ({ pid: [await w.present(world, claims), await w.present(world, claims)] }),
    ],
  ])('D10 %s: %s', async (_name, code, make) => {
    const { request, claims } = await asked()
    const vpToken = await make(claims)
    const refused = await respond(claims, { vp_token: vpToken })
    expect([refused.status, refused.json['error']]).toEqual([400, code])
    expect(await outcome(request)).toMatchObject({ status: 'rejected', error: code })
    expect(await outcome(request)).not.toHaveProperty('result')
    expect((await respond(claims, { vp_token: vpToken })).status).toBe(404)
  })

  test.each<[string, (compact: string) => string]>([
    ['an older compact text', (compact) => compact],
    ['an array', (compact) => JSON.stringify([compact])],
    ['JSON that is cut off', (compact) => JSON.stringify({ pid: [compact] }).slice(0, -1)],
    ['a text in the place of an array', (compact) => JSON.stringify({ pid: compact })],
    ['an empty text', () => ''],
  ])('D10, D3 %s as vp_token of a form in clear: vp_token_invalid, and the request is over', async (_name, make) => {
    const { request, claims } = await asked({ response_mode: 'direct_post' })
    const form = { vp_token: make(await w.present(world, claims)), state: claims.state }
    const refused = await postForm(claims.response_uri, form)
    expect([refused.status, refused.json['error']]).toEqual([400, 'vp_token_invalid'])
    expect(await outcome(request)).toMatchObject({ status: 'rejected', error: 'vp_token_invalid' })
  })

  test('D10 an encrypted answer to a request in clear, and one without state, cannot be read', async () => {
    const { request, claims } = await asked({ response_mode: 'direct_post' })
    const vpToken = JSON.stringify({ pid: [await w.present(world, claims)] })
    for (const form of [
      { vp_token: vpToken },
      { vp_token: vpToken, state: 'x' },
      { response: 'x', state: claims.state },
    ]) {
      const refused = await postForm(claims.response_uri, form as Record<string, string>)
      expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request'])
    }
    expect((await outcome(request)).status).toBe('pending')
    expect((await postForm(claims.response_uri, { vp_token: vpToken, state: claims.state })).status).toBe(200)
  })

  test('D10 the key that jkt asks for must present', async () => {
    const { claims } = await asked({ jkt: (await newKey('ES256')).jkt })
    const refused = await respond(claims, { vp_token: { pid: [await w.present(world, claims)] } })
    expect([refused.status, refused.json['error']]).toEqual([400, 'holder_binding_missing'])
    const own = await asked({ jkt: world.holder.jkt })
    const vp = { vp_token: { pid: [await w.present(world, own.claims)] } }
    expect((await respond(own.claims, vp)).status).toBe(200)
  })

  test.each([
    ['missing', { transactionData: undefined }],
    ['wrong', { transactionData: ['bm90IHRoaXM'] }],
  ])('D10 a transaction hash that is %s: vp_token_invalid', async (_name, changes) => {
    const { claims } = await asked({ transaction_data: { amount_minor: 1, currency: 'EUR' } })
    const refused = await respond(claims, { vp_token: { pid: [await w.present(world, claims, changes)] } })
    expect([refused.status, refused.json['error']]).toEqual([400, 'vp_token_invalid'])
  })

  test('D10 the issuers of another region do not count: 403 issuer_untrusted', async () => {
    await w.trust(world.app, 'Elsewhere', [])
    const { request, claims } = await asked({ region: 'Elsewhere' })
    const refused = await respond(claims, { vp_token: { pid: [await w.present(world, claims)] } })
    expect([refused.status, refused.json['error']]).toEqual([403, 'issuer_untrusted'])
    expect(await outcome(request)).toMatchObject({ status: 'rejected', error: 'issuer_untrusted' })
  })

  test('D10 a revoked attestation: 403 attestation_revoked; D10 an unreachable status list: 503', async () => {
    for (const [status, code, expected] of [
      [5, 'attestation_revoked', 403],
      [6, 'service_unavailable', 503],
    ] as const) {
      const sdJwt = await world.issuer.issue({ vct: w.VCT, claims: w.claims, holder: world.holder, status })
      if (status === 5) world.issuer.revoke(5)
      else world.issuer.answer('/status/1', (_request, response) => void response.writeHead(500).end())
      world.app.clock.advance({ seconds: 301 })
      const { request, claims } = await asked()
      const vpToken = { pid: [await w.present({ ...world, sdJwt }, claims)] }
      const refused = await respond(claims, { vp_token: vpToken })
      world.issuer.answer('/status/1', null)
      expect([refused.status, refused.json['error']]).toEqual([expected, code])
      expect(await outcome(request)).toMatchObject({ status: 'rejected', error: code })
    }
  })
})

describe('a response that cannot be read', () => {
  type Claims = Parameters<typeof respond>[0]
  const good = async (claims: Claims) => ({ vp_token: { pid: [await w.present(world, claims)] } })
  const otherKey = async () => ({ ...(await exportJWK((await generateKeyPair('ECDH-ES')).publicKey)), kid: 'x' })
  test.each<[string, (claims: Claims) => Promise<Record<string, string>>]>([
    ['nothing', async () => ({})],
    ['rubbish', async () => ({ response: 'rubbish' })],
    [
      'another state',
      async (claims) => ({ response: await encryptResponse(claims, { ...(await good(claims)), state: 'x' }) }),
    ],
    ['no state', async (claims) => ({ response: await encryptResponse(claims, await good(claims)) })],
    [
      'another kid',
      async (claims) => ({
        response: await encryptResponse(
          claims,
          { ...(await good(claims)), state: claims.state },
          { header: { kid: 'x' } },
        ),
      }),
    ],
    [
      'another key under the right kid',
      async (claims) => {
        const kid = String(claims.client_metadata?.jwks?.keys[0]?.kid)
        const key = { ...(await otherKey()), kid }
        return { response: await encryptResponse(claims, { ...(await good(claims)), state: claims.state }, { key }) }
      },
    ],
    [
      'another algorithm',
      async (claims) => ({
        response: await encryptResponse(
          claims,
          { ...(await good(claims)), state: claims.state },
          { header: { alg: 'ECDH-ES+A128KW' } },
        ),
      }),
    ],
    [
      'an encryption that was not offered',
      async (claims) => ({
        response: await encryptResponse(
          claims,
          { ...(await good(claims)), state: claims.state },
          { enc: 'A128CBC-HS256' },
        ),
      }),
    ],
    ['no object', async (claims) => ({ response: await encryptResponse(claims, '[1]') })],
    [
      'clear text where encryption was asked for',
      async (claims) => ({ vp_token: JSON.stringify((await good(claims)).vp_token), state: claims.state }),
    ],
    ['an error without the state', async () => ({ error: 'access_denied' })],
  ])('D10 %s: 400 invalid_request, and nothing changes', async (_name, make) => {
    const { request, claims } = await asked()
    const refused = await postForm(claims.response_uri, await make(claims))
    expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request'])
    expect((await outcome(request)).status).toBe('pending')
    expect((await w.answer(world, request)).status).toBe(200)
  })

  test('D10 compressed text is refused before it is inflated', async () => {
    const { request, claims } = await asked()
    const jwe = await encryptResponse(claims, { state: claims.state, ...(await good(claims)) })
    const [header = '', ...rest] = jwe.split('.')
    const zipped = { ...(JSON.parse(Buffer.from(header, 'base64url').toString()) as object), zip: 'DEF' }
    const response = [Buffer.from(JSON.stringify(zipped)).toString('base64url'), ...rest].join('.')
    const refused = await postForm(claims.response_uri, { response })
    expect([refused.status, refused.json['error_description']]).toEqual([400, 'The response is compressed.'])
    expect((await outcome(request)).status).toBe('pending')
  })

  test('D10 the twentieth ends the request, also when they come at once', async () => {
    const { request, claims } = await asked()
    const many = await Promise.all(
      Array.from({ length: 25 }, () => postForm(claims.response_uri, { response: 'rubbish' })),
    )
    expect(countStatuses(many)).toEqual({ 400: 20, 404: 5 })
    expect(await outcome(request)).toMatchObject({ status: 'rejected', error: 'invalid_request' })
    expect((await respond(claims, await good(claims))).status).toBe(404)
    const spared = await asked()
    for (let count = 0; count < 19; count += 1) await postForm(spared.claims.response_uri, { response: 'x' })
    expect((await w.answer(world, spared.request)).status).toBe(200)
  })

  test('D10 JSON is 415, a repeated parameter 400, and more than 256 KiB 413', async () => {
    const { request, claims } = await asked()
    const send = (type: string, body: string) =>
      exchange(claims.response_uri, { method: 'POST', headers: { 'content-type': type }, body })
    const form = 'application/x-www-form-urlencoded'
    expect((await send('application/json', '{}')).status).toBe(415)
    expect((await send(form, 'response=a&response=b')).status).toBe(400)
    expect((await send(form, `response=${'a'.repeat(262_144)}`)).status).toBe(413)
    expect((await send(form, `response=${'a'.repeat(200_000)}`)).status).toBe(400)
    expect((await outcome(request)).status).toBe('pending')
  })
})

describe('the wallet says no', () => {
  test('D10 an error with the state, in clear, is 200 {} and rejects the request', async () => {
    const { request, claims } = await asked()
    const form = { error: 'access_denied', error_description: 'The person declined.', state: claims.state }
    const taken = await postForm(claims.response_uri, form)
    expect([taken.status, taken.text]).toEqual([200, '{}'])
    expect(await outcome(request)).toEqual({
      request_id: w.idOf(request),
      state: request.state,
      status: 'rejected',
      error: 'access_denied',
      error_description: 'The person declined.',
    })
    expect((await postForm(claims.response_uri, form)).status).toBe(404)
  })

  test.each([
    ['a card number', 'Not with 4242 4242 4242 4242.'],
    ['a character that turns text around', 'a\u202eb'],
    ['a line break', 'a\nb'],
  ])('D10 a description with %s is dropped, and the answer still counts', async (_what, description) => {
    const refusal = { error: 'access_denied', error_description: description }
    const [inClear, encrypted] = [await asked(), await asked()]
    const form = { ...refusal, state: inClear.claims.state }
    expect((await postForm(inClear.claims.response_uri, form)).status).toBe(200)
    expect((await respond(encrypted.claims, refusal)).status).toBe(200)
    for (const { request } of [inClear, encrypted]) {
      const { status, error, ...rest } = await outcome(request)
      expect([status, error]).toEqual(['rejected', 'access_denied'])
      expect(rest).not.toHaveProperty('error_description')
    }
  })

  test('D10 an error that is no code becomes invalid_request, and only the beginning of a text is read', async () => {
    const { request, claims } = await asked()
    const joined = 'a\u200c'.repeat(30_000)
    const startedAt = performance.now()
    const refusal = { error: '4242 4242 4242 4242', error_description: joined }
    expect((await respond(claims, refusal)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(await outcome(request)).toMatchObject({ status: 'rejected', error: 'invalid_request' })
  })

  test('D10 the same within the encryption', async () => {
    const { request, claims } = await asked()
    expect((await respond(claims, { error: 'access_denied' })).status).toBe(200)
    expect(await outcome(request)).toMatchObject({ status: 'rejected', error: 'access_denied' })
  })
})

describe('single use and end', () => {
  test('D10 of sixteen responses at once one is taken', async () => {
    const { request, claims } = await asked()
    const form = {
      response: await encryptResponse(claims, {
        state: claims.state,
        vp_token: { pid: [await w.present(world, claims)] },
      }),
    }
    const answers = await Promise.all(Array.from({ length: 16 }, () => postForm(claims.response_uri, form)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 15 })
    expect((await outcome(request)).status).toBe('verified')
  })

  test('D10 an unknown and an expired request are 404, D11 and its maker reads that it has expired', async () => {
    const { request, claims } = await asked()
    expect((await postForm(`${world.app.baseUrl}/eudiw/response/unknown`, { response: 'x' })).status).toBe(404)
    world.app.clock.advance({ seconds: 600 })
    expect((await postForm(claims.response_uri, { response: 'x' })).status).toBe(404)
    expect(await outcome(request)).toEqual({ request_id: w.idOf(request), state: request.state, status: 'expired' })
  })
})

describe('whose request it is', () => {
  test('A5 another wallet client sees 404, the operator everything', async () => {
    const [maker, other] = [await newWalletClient(world.app), await newWalletClient(world.app)]
    const headers = await w.credentialOf(world.app, maker)
    const request = must(await w.ask(world.app, { dcql_query: w.query() }, headers), 200)
    const read = async (client: typeof maker) =>
      (await w.readResult(world.app, request, await w.credentialOf(world.app, client))).status
    expect([await read(maker), await read(other)]).toEqual([200, 404])
    const operator = { authorization: `Bearer ${world.app.operatorToken}` }
    expect((await w.readResult(world.app, request, operator)).status).toBe(200)
    const byOperator = must(await w.ask(world.app, { dcql_query: w.query() }, operator), 200)
    const foreign = await w.readResult(world.app, byOperator, await w.credentialOf(world.app, maker))
    expect(foreign.status).toBe(404)
  })

  test('A5 a caller without a credential sees only results of requests that were made without one', async () => {
    const body = { dcql_query: w.query() }
    const operator = { authorization: `Bearer ${world.app.operatorToken}` }
    const byClient = must(
      await w.ask(world.app, body, await w.credentialOf(world.app, await newWalletClient(world.app))),
      200,
    )
    const byOperator = must(await w.ask(world.app, body, operator), 200)
    const byStranger = must(await w.ask(world.app, body), 200)
    const statuses = [byClient, byOperator, byStranger].map(
      async (made) => (await w.readResult(world.app, made)).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 404, 200])
    expect((await w.readResult(world.app, byStranger, operator)).status).toBe(200)
  })
})

describe('the switch', () => {
  test('D12 presentation_verify off: 503, and the request stays open; results can be read', async () => {
    const { request, claims } = await asked()
    must(await operate(world.app, 'PUT', '/switches/presentation_verify', { enabled: false }), 200)
    const refused = await postForm(claims.response_uri, { response: 'x' })
    expect([refused.status, refused.json['error']]).toEqual([503, 'service_unavailable'])
    expect((await outcome(request)).status).toBe('pending')
    must(await operate(world.app, 'PUT', '/switches/presentation_verify', { enabled: true }), 200)
    expect((await w.answer(world, request)).status).toBe(200)
  })
})

/** Last in the file: the route files know one service at a time. */
describe('another installation', () => {
  test('D11 the outcome is kept for 24 hours after the end, and the claims are deleted with it', async () => {
    const own = await w.openWorld()
    onTestFinished(async () => {
      await own.issuer.close()
      await own.app.close()
    })
    const request = await w.newRequest(own.app)
    expect((await w.answer(own, request)).status).toBe(200)
    expect(await scanDatabase(own.app.platform, ['given_name', 'Ada'])).toContain(
      'presentation_requests.sealed_outcome',
    )
    const { sealed_outcome: sealed } = (await own.app.platform.db.prisma.presentationRequest.findFirst()) ?? {}
    expect(sealed).toMatch(/^v2\./)
    own.app.clock.advance({ seconds: 86_390 })
    await sweepExpired(own.app.platform)
    expect((await w.readResult(own.app, request)).json.status).toBe('verified')
    own.app.clock.advance({ seconds: 20 })
    expect((await w.readResult(own.app, request)).status).toBe(404)
    await sweepExpired(own.app.platform)
    expect(await own.app.platform.db.prisma.presentationRequest.count()).toBe(0)
  })

  test('D10 also over two processes with one database', async () => {
    const database = await openTestDatabase()
    const env = { KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
    const two = [await w.openWorld({ env, database }), await startApp({ env, database })] as const
    const [{ app, issuer }, other] = two
    onTestFinished(async () => {
      for (const { close } of [issuer, app, other]) await close()
      await database.close()
    })
    const request = await w.newRequest(app)
    const { claims } = await fetchRequest(request.deep_link)
    const response = await encryptResponse(claims, {
      state: claims.state,
      vp_token: { pid: [await w.present(two[0], claims)] },
    })
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        postForm(claims.response_uri.replace(app.baseUrl, (index % 2 === 0 ? app : other).baseUrl), { response }),
      ),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 15 })
    expect((await w.readResult(other, request)).json.status).toBe('verified')
  })
})

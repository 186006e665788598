/** Decisions D7, D9 and D12: asking a wallet to present, and the signed request object that it fetches. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decodeRequestObject } from '@/scripts/wallet/request-object'
import { Agent, clientAssertion, exchange, must, newPrincipal, newWalletClient, operate } from '../support/actors'
import * as w from './request-world'
import { fetchRequest, postForm, readDeepLink } from './wallet'

let world: w.World
w.withWorld((opened) => {
  world = opened
})

type Body = Readonly<Record<string, unknown>>
const withQuery = (changes: Body) => {
  const [pid] = w.query()['credentials'] as object[]
  return { credentials: [{ ...pid, ...changes }] }
}
const JKT = 'A'.repeat(43)

describe('POST /eudiw/request', () => {
  test('D7 answers five members, each of them new, and is not stored', async () => {
    const answer = await w.ask(world.app, { dcql_query: w.query() })
    const request = must(answer, 200)
    expect(Object.keys(request)).toEqual(['request_uri', 'deep_link', 'qr_payload', 'nonce', 'state'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(request.request_uri).toMatch(new RegExp(`^${world.app.baseUrl}/eudiw/request/[\\w-]{43}$`))
    expect(request.deep_link).toMatch(/^openid4vp:\/\/\?client_id=x509_hash%3A[\w-]{43}&request_uri=/)
    expect(request.deep_link).toMatch(/&request_uri_method=post$/)
    expect(request.qr_payload).toBe(request.deep_link)
    expect(request.nonce).toMatch(/^[\w-]{43}$/)
    expect(request.state).toMatch(/^[\w-]{22,}$/)
    expect(readDeepLink(request.deep_link).requestUri).toBe(request.request_uri)
    const other = await w.newRequest(world.app)
    const values = [request, other].flatMap(({ request_uri: uri, nonce, state }) => [uri, nonce, state])
    expect(new Set(values).size).toBe(6)
  })

  const credential = ['body', 'dcql_query', 'credentials', 0]
  test.each<[string, Body, unknown[]]>([
    ['no query', {}, ['body', 'dcql_query']],
    ['a text as query', { dcql_query: '{}' }, ['body', 'dcql_query']],
    ['no credentials', { dcql_query: {} }, ['body', 'dcql_query', 'credentials']],
    ['an empty list of credentials', { dcql_query: { credentials: [] } }, ['body', 'dcql_query', 'credentials']],
    ['another format', { dcql_query: withQuery({ format: 'mso_mdoc' }) }, [...credential, 'format']],
    ['an older format', { dcql_query: withQuery({ format: 'vc+sd-jwt' }) }, [...credential, 'format']],
    ['no meta', { dcql_query: withQuery({ meta: undefined }) }, [...credential, 'meta']],
    ['meta without vct_values', { dcql_query: withQuery({ meta: {} }) }, [...credential, 'meta', 'vct_values']],
    [
      'empty vct_values',
      { dcql_query: withQuery({ meta: { vct_values: [] } }) },
      [...credential, 'meta', 'vct_values'],
    ],
    ['an id with a dot', { dcql_query: withQuery({ id: 'a.b' }) }, [...credential, 'id']],
    ['no claims in claims', { dcql_query: withQuery({ claims: [] }) }, [...credential, 'claims']],
    ['an empty path', { dcql_query: withQuery({ claims: [{ path: [] }] }) }, [...credential, 'claims', 0, 'path']],
    ['another response_mode', { dcql_query: w.query(), response_mode: 'fragment' }, ['body', 'response_mode']],
    ['a jkt that is too short', { dcql_query: w.query(), jkt: 'A'.repeat(42) }, ['body', 'jkt']],
    ['a jkt that is no base64url', { dcql_query: w.query(), jkt: `${'A'.repeat(42)}+` }, ['body', 'jkt']],
    [
      'transaction_data with an unknown member',
      { dcql_query: w.query(), transaction_data: { iban: 'x' } },
      ['body', 'transaction_data', 'iban'],
    ],
    [
      'no amount at all',
      { dcql_query: w.query(), transaction_data: { amount_minor: 0, currency: 'EUR' } },
      ['body', 'transaction_data', 'amount_minor'],
    ],
    [
      'an amount without currency',
      { dcql_query: w.query(), transaction_data: { amount_minor: 1 } },
      ['body', 'transaction_data', 'currency'],
    ],
    [
      'a credential that its holder need not present in person',
      { dcql_query: withQuery({ require_cryptographic_holder_binding: false }) },
      [...credential, 'require_cryptographic_holder_binding'],
    ],
    [
      'transaction_data where the holder need not sign',
      {
        dcql_query: withQuery({ require_cryptographic_holder_binding: false }),
        transaction_data: { amount_minor: 1, currency: 'EUR' },
      },
      [...credential, 'require_cryptographic_holder_binding'],
    ],
  ])('D7 %s is 422', async (_name, body, loc) => {
    const { status, json } = await w.ask(world.app, body)
    expect([status, json.detail?.[0]?.loc]).toEqual([422, loc])
  })

  test('A6 an array and a text are 422, what is no JSON 400, another media type 415', async () => {
    for (const body of ['[]', '"x"', '7']) expect((await w.ask(world.app, body)).status).toBe(422)
    const broken = await w.ask(world.app, '{')
    expect([broken.status, broken.json.error]).toEqual([400, 'invalid_request'])
    expect((await w.ask(world.app, 'a=b', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('A7 a body of more than 64 KiB is 413', async () => {
    expect((await w.ask(world.app, JSON.stringify({ x: 'a'.repeat(65_536) }))).status).toBe(413)
  })

  test('D7 unknown members of the query are ignored, and do not reach the wallet', async () => {
    const request = await w.newRequest(world.app, { dcql_query: { ...withQuery({ extra: 1 }), more: {} } })
    const { claims } = await fetchRequest(request.deep_link)
    expect(claims['dcql_query']).toEqual(w.query())
  })

  test('D7 an unknown region is 400 region_unsupported, a known one counts', async () => {
    const refused = await w.ask(world.app, { dcql_query: w.query(), region: 'Atlantis' })
    expect([refused.status, refused.json.error]).toEqual([400, 'region_unsupported'])
    expect((await w.ask(world.app, { dcql_query: w.query(), region: w.REGION })).status).toBe(200)
  })
})

describe('who may ask', () => {
  test('A2 anybody in an open sandbox, but not with a wrong credential, A3 and not with two', async () => {
    const body = { dcql_query: w.query() }
    const client = await newWalletClient(world.app)
    const own = await w.credentialOf(world.app, client)
    expect((await w.ask(world.app, body, own)).status).toBe(200)
    const wrong = await w.ask(world.app, body, { authorization: 'Bearer wrong' })
    expect([wrong.status, wrong.json.error]).toEqual([401, 'invalid_client'])
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/)
    const both = { ...(await w.credentialOf(world.app, client)), authorization: `Bearer ${world.app.operatorToken}` }
    const refused = await w.ask(world.app, body, both)
    expect([refused.status, refused.json.error]).toEqual([400, 'invalid_request'])
    const agent = await Agent.register(world.app, (await newPrincipal(world.app)).principalId)
    const assertion = await clientAssertion(world.app, agent)
    const headers = { 'x-client-id': agent.clientId, 'x-client-assertion': assertion }
    expect((await w.ask(world.app, body, headers)).status).toBe(401)
  })
})

describe('the request object', () => {
  const data = {
    offer_digest: 'd',
    amount_minor: 1200,
    currency: 'EUR',
    merchant: 'https://shop.example',
    mandate_ref: 'm',
  }

  test('D9 is signed with ES256 by the access certificate, without its anchor', async () => {
    const request = await w.newRequest(world.app)
    const answer = await postForm(request.request_uri, {})
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/oauth-authz-req+jwt'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { header } = await decodeRequestObject(answer.text)
    const party = must(await operate<{ x5c: string[]; anchor: string }>(world.app, 'GET', '/relying-party'), 200)
    expect(header).toEqual({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: party.x5c })
    expect(party.x5c).not.toContain(party.anchor)
  })

  test('D9 says exactly what OpenID4VP asks for', async () => {
    const request = await w.newRequest(world.app, { transaction_data: data })
    const { claims } = await fetchRequest(request.deep_link, { wallet_nonce: 'n' })
    const key = claims.client_metadata?.jwks?.keys[0]
    expect(claims).toEqual({
      client_id: readDeepLink(request.deep_link).clientId,
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      response_uri: request.request_uri.replace('/request/', '/response/'),
      nonce: request.nonce,
      state: request.state,
      aud: 'https://self-issued.me/v2',
      iat: expect.any(Number),
      exp: claims.iat + 300,
      dcql_query: w.query(),
      client_metadata: {
        jwks: { keys: [key] },
        encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
        vp_formats_supported: {
          'dc+sd-jwt': {
            'sd-jwt_alg_values': ['EdDSA', 'Ed25519', 'ES256'],
            'kb-jwt_alg_values': ['EdDSA', 'Ed25519', 'ES256'],
          },
        },
      },
      transaction_data: [expect.any(String)],
      wallet_nonce: 'n',
    })
    expect(key).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      use: 'enc',
      alg: 'ECDH-ES',
    })
    const [entry = ''] = claims.transaction_data ?? []
    expect(JSON.parse(Buffer.from(entry, 'base64url').toString())).toEqual({
      type: 'urn:oid4ac:payment:1',
      credential_ids: ['pid'],
      transaction_data_hashes_alg: ['sha-256'],
      ...data,
    })
  })

  test('D9 of direct_post names no key', async () => {
    const request = await w.newRequest(world.app, { response_mode: 'direct_post', jkt: JKT })
    const { claims } = await fetchRequest(request.deep_link)
    expect(claims.response_mode).toBe('direct_post')
    expect(Object.keys(claims.client_metadata ?? {})).toEqual(['vp_formats_supported'])
    expect(claims).not.toHaveProperty('transaction_data')
    expect(claims).not.toHaveProperty('wallet_nonce')
  })

  test('D9 may be fetched again until the end of the request, which its exp does not pass', async () => {
    const request = await w.newRequest(world.app)
    const first = await fetchRequest(request.deep_link)
    world.app.clock.advance({ seconds: 400 })
    const second = await fetchRequest(request.deep_link)
    expect(second.claims.nonce).toBe(first.claims.nonce)
    expect(second.claims.exp - second.claims.iat).toBeLessThanOrEqual(200)
    expect(second.claims.exp - second.claims.iat).toBeGreaterThan(190)
    world.app.clock.advance({ seconds: 200 })
    const gone = await postForm(request.request_uri, {})
    expect([gone.status, gone.json['error']]).toEqual([404, 'not_found'])
  })

  test('D9 an unknown and an answered request are 404', async () => {
    const request = await w.newRequest(world.app)
    expect((await w.answer(world, request)).status).toBe(200)
    expect((await postForm(request.request_uri, {})).status).toBe(404)
    expect((await postForm(`${world.app.baseUrl}/eudiw/request/unknown`, {})).status).toBe(404)
  })

  test('D9 is fetched by POST alone: GET is 405', async () => {
    const request = await w.newRequest(world.app)
    const { status, headers } = await exchange(request.request_uri)
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('what a wallet sends for the request object', () => {
  const send = async (body: string | undefined, type?: string) => {
    const { request_uri: url } = await w.newRequest(world.app)
    const headers = type === undefined ? {} : { 'content-type': type }
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) }
    const answer = await exchange(url, init)
    return { ...answer, claims: answer.status === 200 ? (await decodeRequestObject(answer.text)).claims : null }
  }
  const form = 'application/x-www-form-urlencoded'
  const json = 'application/json'
  const nonce = 'a%20b&c=d é'

  test('D9 nothing at all, a form and JSON are taken, and wallet_nonce is echoed unchanged', async () => {
    expect((await send(undefined)).claims).not.toHaveProperty('wallet_nonce')
    expect((await send(new URLSearchParams({ wallet_nonce: nonce }).toString(), form)).claims).toMatchObject({
      wallet_nonce: nonce,
    })
    expect((await send(JSON.stringify({ wallet_nonce: nonce }), json)).claims).toMatchObject({ wallet_nonce: nonce })
    const longest = 'n'.repeat(512)
    expect((await send(JSON.stringify({ wallet_nonce: longest }), json)).claims).toMatchObject({
      wallet_nonce: longest,
    })
    expect((await send('client_name=x&client_name2=y', form)).status).toBe(200)
  })

  const metadata = { vp_formats_supported: { 'dc+sd-jwt': {} }, client_id_prefixes_supported: ['x509_hash'] }
  test('D9 wallet_metadata is an object or its text', async () => {
    expect((await send(JSON.stringify({ wallet_metadata: metadata }), json)).status).toBe(200)
    expect((await send(JSON.stringify({ wallet_metadata: JSON.stringify(metadata) }), json)).status).toBe(200)
    const asForm = new URLSearchParams({ wallet_metadata: JSON.stringify(metadata) }).toString()
    expect((await send(asForm, form)).status).toBe(200)
  })

  test.each([
    ['an empty wallet_nonce in a form', 'wallet_nonce=', form],
    ['an empty wallet_nonce', '{"wallet_nonce":""}', json],
    ['a wallet_nonce that is too long', JSON.stringify({ wallet_nonce: 'n'.repeat(513) }), json],
    ['a wallet_nonce that is a number', '{"wallet_nonce":1}', json],
    ['two wallet_nonces', 'wallet_nonce=a&wallet_nonce=a', form],
    ['two unknown parameters of one name', 'x=a&x=b', form],
    ['wallet_metadata that is no JSON', 'wallet_metadata=x', form],
    ['wallet_metadata that is an array', 'wallet_metadata=[]', form],
    ['wallet_metadata that is a number', '{"wallet_metadata":1}', json],
    ['formats without ours', JSON.stringify({ wallet_metadata: { vp_formats_supported: { mso_mdoc: {} } } }), json],
    ['formats that are no object', JSON.stringify({ wallet_metadata: { vp_formats_supported: [] } }), json],
    ['prefixes without ours', '{"wallet_metadata":{"client_id_prefixes_supported":["x509_san_dns"]}}', json],
    ['prefixes that are no list', '{"wallet_metadata":{"client_id_prefixes_supported":"x509_hash"}}', json],
    ['JSON that does not parse', '{', json],
    ['an array', '[]', json],
  ])('D9 %s: 400', async (_name, body, type) => {
    expect((await send(body, type)).status).toBe(400)
  })

  test('D9 another media type is 415', async () => {
    for (const type of ['text/plain', 'application/jwt']) {
      expect((await send('{}', type)).status).toBe(415)
      expect((await send('', type)).status).toBe(415)
    }
  })
})

describe('the switch', () => {
  test('D12 presentation_request off: both addresses answer 503 service_unavailable', async () => {
    const request = await w.newRequest(world.app)
    must(await operate(world.app, 'PUT', '/switches/presentation_request', { enabled: false }), 200)
    for (const refused of [await w.ask(world.app, 'no JSON'), await postForm(request.request_uri, {})]) {
      expect([refused.status, (refused.json as Body)['error']]).toEqual([503, 'service_unavailable'])
    }
    expect((await w.readResult(world.app, request)).status).toBe(200)
    must(await operate(world.app, 'PUT', '/switches/presentation_request', { enabled: true }), 200)
    expect((await postForm(request.request_uri, {})).status).toBe(200)
  })
})

test('what is stored of a request is sealed', async () => {
  const request = await w.newRequest(world.app, { transaction_data: { mandate_ref: 'mandate-of-ada' } })
  const rows = await world.app.platform.db.prisma.presentationRequest.findMany()
  const stored = JSON.stringify(rows)
  expect(stored).toContain(w.idOf(request))
  for (const secret of [request.nonce, request.state, 'mandate-of-ada', 'given_name'])
    expect(stored).not.toContain(secret)
  const digest = createHash('sha256').update(request.nonce).digest('base64url')
  expect(stored).not.toContain(digest)
})

/** Last in the file: the route files know one service at a time. */
describe('another installation', () => {
  test('A2 a sandbox with an operator token of its own is closed', async () => {
    const closed = await w.openWorld({ env: { OPERATOR_TOKEN: randomBytes(32).toString('hex') } })
    onTestFinished(async () => {
      await closed.issuer.close()
      await closed.app.close()
    })
    const refused = await w.ask(closed.app, 'no JSON')
    expect([refused.status, refused.json.error]).toEqual([401, 'invalid_client'])
    const headers = { authorization: `Bearer ${closed.app.operatorToken}` }
    expect((await w.ask(closed.app, { dcql_query: w.query() }, headers)).status).toBe(200)
  })
})

/** POST /eudiw/verify: whom it serves, whom regions trust, and what it answers (decisions A6, A7, D1, D2, D4, D5). */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  askAboutToken,
  clientAssertion,
  exchange,
  must,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
} from '../support/actors'
import { startApp } from '../support/app'
import {
  NONCE,
  present,
  REGION,
  refusal,
  send,
  startWorld,
  stopWorld,
  trust,
  VCT,
  verify,
  type World,
} from './verifier'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => stopWorld(world))

describe('what a verified presentation is answered with', () => {
  test.each(['ES256', 'EdDSA'] as const)('D4 %s: exactly the members of the decision', async (alg) => {
    const { app, foreign } = world
    const holder = await newKey(alg)
    const answer = await verify(app, await present(world, { alg, status: 3, binding: { holder } }))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const result = {
      verified: true,
      format: 'dc+sd-jwt',
      vct: VCT,
      issuer: foreign.issuer,
      region: REGION,
      claims: {
        iss: foreign.issuer,
        vct: VCT,
        iat: expect.any(Number) as number,
        exp: expect.any(Number) as number,
        given_name: 'Ada',
        family_name: 'Lovelace',
      },
      holder: { jkt: holder.jkt },
      nonce: NONCE,
      aud: app.baseUrl,
      status: 'valid',
      verified_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    }
    expect(answer.json).toEqual({ ...result, presentations: [{ id: 'pid', ...result }] })
  })

  test('D6 an attestation without status has the status none', async () => {
    expect((await verify(world.app, await present(world))).json.status).toBe('none')
  })

  test('D4 claims are what the holder disclosed', async () => {
    const compact = await present(world, { binding: { disclose: ['family_name'] } })
    const { claims } = (await verify(world.app, compact)).json
    expect(claims).toMatchObject({ family_name: 'Lovelace' })
    expect(claims).not.toHaveProperty('given_name')
  })

  test('D4 the hashes of transaction data are returned', async () => {
    const compact = await present(world, { binding: { transactionData: ['e30'] } })
    const hash = createHash('sha256').update('e30').digest('base64url')
    expect((await verify(world.app, compact)).json.transaction_data_hashes).toEqual([hash])
  })

  test('D4 the members on top are those of the first presentation', async () => {
    const vp_token = { b: [await present(world, { vct: 'https://types.example/b' })], a: [await present(world)] }
    const { json } = await verify(world.app, '', { vp_token })
    expect(json.presentations.map(({ id, vct }) => [id, vct])).toEqual([
      ['b', 'https://types.example/b'],
      ['a', VCT],
    ])
    expect(json.vct).toBe('https://types.example/b')
  })

  test('D4 all presentations must verify', async () => {
    const good = await present(world)
    const bad = await present(world, { binding: { nonce: 'other' } })
    const answer = verify(world.app, '', { vp_token: { a: [good], b: [bad] }, expected_nonce: NONCE })
    expect(await refusal(answer)).toBe('400 nonce_mismatch')
  })

  test('D5 the same presentation verifies twice, also sixteen times at once', async () => {
    const compact = await present(world, { status: 1 })
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => refusal(verify(world.app, compact, { expected_nonce: NONCE }))),
    )
    expect(new Set(answers)).toEqual(new Set(['verified']))
  })
})

describe('what the key binding is compared with', () => {
  test('D5 without expected_aud the audience is our issuer', async () => {
    const compact = await present(world, { binding: { aud: 'https://other.example' } })
    expect(await refusal(verify(world.app, compact))).toBe('400 audience_mismatch')
    expect(await refusal(verify(world.app, await present(world)))).toBe('verified')
  })

  test('D5 without expected_aud the audience may be our client_id of presentation requests', async () => {
    const { app } = world
    const dcql_query = { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: [VCT] } }] }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ dcql_query })
    const { deep_link } = must(
      await exchange<{ deep_link: string }>(`${app.baseUrl}/eudiw/request`, { method: 'POST', headers, body }),
      200,
    )
    const aud = new URL(deep_link).searchParams.get('client_id') ?? ''
    expect(await refusal(verify(app, await present(world, { binding: { aud } })))).toBe('verified')
    const other = await present(world, { binding: { aud: `${aud}x` } })
    expect(await refusal(verify(app, other))).toBe('400 audience_mismatch')
  })

  test('D5 with expected_aud only that one counts, to the letter', async () => {
    const aud = 'x509_hash:Uvo3HtuIxuhC92rShpgqcT3YXwrqRxWEviRiA0OZszk'
    const compact = await present(world, { binding: { aud } })
    expect(await refusal(verify(world.app, compact, { expected_aud: aud }))).toBe('verified')
    expect(await refusal(verify(world.app, compact, { expected_aud: aud.toUpperCase() }))).toBe('400 audience_mismatch')
    const ours = { expected_aud: aud }
    expect(await refusal(verify(world.app, await present(world), ours))).toBe('400 audience_mismatch')
  })

  test('D5 without expected_nonce any but an empty one is accepted and returned', async () => {
    const compact = await present(world, { binding: { nonce: 'of their own' } })
    expect((await verify(world.app, compact)).json.nonce).toBe('of their own')
    const empty = await present(world, { binding: { nonce: '' } })
    expect(await refusal(verify(world.app, empty))).toBe('400 nonce_mismatch')
  })

  test('D5 with expected_nonce another is nonce_mismatch', async () => {
    const compact = await present(world)
    expect(await refusal(verify(world.app, compact, { expected_nonce: NONCE }))).toBe('verified')
    expect(await refusal(verify(world.app, compact, { expected_nonce: `${NONCE} ` }))).toBe('400 nonce_mismatch')
  })
})

describe('regions', () => {
  test.each(['XX', '', 'eu', '\u0000', '../EU', '__proto__', 'E'.repeat(200)])(
    'D2 the unknown region %j is region_unsupported before anything of the presentation is looked at',
    async (region) => {
      expect(await refusal(verify(world.app, 'garbage', { region }))).toBe('400 region_unsupported')
      expect(await refusal(verify(world.app, '', { region, vp_token: {} }))).toBe('400 region_unsupported')
    },
  )

  test('D2 no region is configured at first', async () => {
    const app = await startApp({ seed: false })
    expect(await refusal(verify(app, 'garbage'))).toBe('400 region_unsupported')
    await app.close()
  })

  test('D1 an issuer that the region does not list is issuer_untrusted, with a type that it does not list too', async () => {
    const { app, foreign } = world
    await trust(app, 'NONE', [])
    await trust(app, 'TYPES', [{ issuer: foreign.issuer, algs: ['ES256'], vct_values: ['https://types.example/b'] }])
    await trust(app, 'SLASH', [{ issuer: `${foreign.issuer}/`, algs: ['ES256'] }])
    const compact = await present(world)
    for (const region of ['NONE', 'TYPES', 'SLASH']) {
      expect(await refusal(verify(app, compact, { region }))).toBe('403 issuer_untrusted')
    }
    const other = await present(world, { vct: 'https://types.example/b' })
    expect(await refusal(verify(app, other, { region: 'TYPES' }))).toBe('verified')
  })

  test('D1 algs of the entry hold for the attestation and its key binding', async () => {
    const { app, foreign, holder } = world
    await trust(app, 'ED', [{ issuer: foreign.issuer, algs: ['EdDSA'] }])
    await trust(app, 'EC', [{ issuer: foreign.issuer, algs: ['ES256'] }])
    const edHolder = await newKey('EdDSA')
    const outcomes = async (draft: Parameters<typeof present>[1]) => {
      const compact = await present(world, draft)
      return Promise.all(['ED', 'EC'].map((region) => refusal(verify(app, compact, { region }))))
    }
    const invalid = '400 vp_token_invalid'
    expect(await outcomes({ alg: 'EdDSA', binding: { holder: edHolder } })).toEqual(['verified', invalid])
    expect(await outcomes({ alg: 'ES256', binding: { holder } })).toEqual([invalid, 'verified'])
    expect(await outcomes({ alg: 'ES256', binding: { holder: edHolder } })).toEqual([invalid, invalid])
  })

  test('D1 keys of the entry, a certificate chain, and published keys', async () => {
    const { app, foreign } = world
    const { issuer, jwks, chain } = foreign
    await trust(app, 'JWKS', [{ issuer, algs: ['ES256'], jwks }])
    await trust(app, 'CHAIN', [{ issuer, algs: ['ES256'], x5c_roots: [chain.root.base64] }])
    const compact = await present(world)
    const chained = await present(world, { x5c: chain.x5c })
    expect(await refusal(verify(app, compact, { region: 'JWKS' }))).toBe('verified')
    expect(await refusal(verify(app, chained, { region: 'CHAIN' }))).toBe('verified')
    expect(await refusal(verify(app, compact, { region: 'CHAIN' }))).toBe('400 vp_token_invalid')
    expect(await refusal(verify(app, chained, { region: 'JWKS' }))).toBe('400 vp_token_invalid')
  })
})

describe('who may call', () => {
  test('A2 an open sandbox takes anybody, and refuses a wrong credential all the same', async () => {
    const compact = await present(world)
    const wrong = { authorization: 'Bearer wrong' }
    const body = { vp_token: { pid: [compact] }, presentation_submission: null, region: REGION }
    expect(await refusal(send(world.app, body))).toBe('verified')
    expect(await refusal(send(world.app, body, wrong))).toBe('401 invalid_client')
  })

  test('A3 A6 with an operator token set a credential comes before media type, size, JSON and validation', async () => {
    const closed = await startWorld({ OPERATOR_TOKEN: 'a-token-of-thirty-two-characters!' })
    const { app } = closed
    const compact = await present(closed)
    const body = { vp_token: { pid: [compact] }, presentation_submission: null, region: REGION }
    for (const bad of [body, '{', '[]', 'x'.repeat(300_000), {}]) {
      const answer = await send(app, bad)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
    }
    const operator = { authorization: `Bearer ${app.operatorToken}` }
    const client = await newWalletClient(app)
    const asserted = async () => ({
      'x-client-id': client.clientId,
      'x-client-assertion': await clientAssertion(app, client),
    })
    expect(await refusal(send(app, body, operator))).toBe('verified')
    expect(await refusal(send(app, body, await asserted()))).toBe('verified')
    expect(await refusal(send(app, body, { ...operator, ...(await asserted()) }))).toBe('400 invalid_request')
    const { principalId } = await newPrincipal(app)
    const agent = await Agent.register(app, principalId)
    const asAgent = { 'x-client-id': agent.clientId, 'x-client-assertion': await agent.assertion() }
    expect(await refusal(send(app, body, asAgent))).toBe('401 invalid_client')
    await stopWorld(closed)
  })

  test('D12 A6 switched off it answers 503 before all else', async () => {
    const { app } = world
    await operate(app, 'PUT', '/switches/presentation_verify', { enabled: false })
    expect(await refusal(send(app, '{', { authorization: 'Bearer wrong' }))).toBe('503 service_unavailable')
    await operate(app, 'PUT', '/switches/presentation_verify', { enabled: true })
    expect(await refusal(verify(app, await present(world)))).toBe('verified')
  })
})

describe('our own credentials', () => {
  test('D1 ours are trusted in every configured region without being named', async () => {
    const { app } = world
    await trust(app, 'OURS', [])
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const agent = await Agent.register(app, principalId)
    const { mandate_jwt: mandate, refresh_token: token } = await agent.buy()
    const { foreign } = world
    const { dpopKey: holder } = agent
    const compact = await foreign.present(mandate, { holder, aud: app.baseUrl, nonce: NONCE })
    for (const region of [REGION, 'OURS']) {
      const answer = await verify(app, compact, { region })
      expect(answer.json, answer.text).toMatchObject({ issuer: app.baseUrl, region, status: 'valid' })
    }
    await askAboutToken(app, 'revoke', agent, { token })
    expect(await refusal(verify(app, compact))).toBe('403 attestation_revoked')
  })
})

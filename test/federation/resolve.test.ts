/** Decisions B13 to B17: entities are resolved through chains of statements that others serve. */
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, handmadeJws, type Key, newKey } from '../support/actors'
import { type App, startApp } from '../support/app'
import {
  ask,
  type Claims,
  claimsOf,
  ENTITY_STATEMENT,
  type Entity,
  enrol,
  type Federation,
  patch,
  resolve,
  startFederation,
  vouchFor,
} from './entities'

let app: App
let federation: Federation
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true' } })
  federation = await startFederation(app)
})
afterAll(async () => {
  await federation.close()
  await app.close()
})

let count = 0
interface LeafOptions {
  readonly claims?: Claims
  readonly enrolment?: Claims
  readonly alg?: Key['alg']
}

/** An entity right below this server. */
async function newDirect({ claims = {}, enrolment = {}, alg = 'EdDSA' }: LeafOptions = {}): Promise<Entity> {
  count += 1
  const entity = await federation.entity(`direct-${count}`, { hints: [app.baseUrl], alg })
  Object.assign(entity.claims, claims)
  expect((await enrol(app, entity, enrolment)).status).toBe(201)
  return entity
}

/** An entity below another one. */
async function newBelow(superior: Entity, { claims = {}, enrolment = {} }: LeafOptions = {}): Promise<Entity> {
  count += 1
  const entity = await federation.entity(`below-${count}`, { hints: [superior.id] })
  Object.assign(entity.claims, claims)
  vouchFor(superior, entity, enrolment)
  return entity
}

/** Status and code of a refusal, which must hold nothing of the chain. */
async function refusalOf(sub: string): Promise<unknown> {
  const { status, json } = await resolve(app, sub)
  expect(json).not.toHaveProperty('trust_chain')
  expect(json).not.toHaveProperty('metadata')
  return [status, json['error']]
}
const CHAIN = [400, 'invalid_trust_chain']
const SUBJECT = [404, 'invalid_subject']
const METADATA = [400, 'invalid_metadata']

const metadataOf = async (sub: string, entityType: string | string[] = 'openid_relying_party') => {
  const answer = await resolve(app, sub, { entity_type: entityType })
  expect(answer.text).not.toContain('"error"')
  return claimsOf(answer)['metadata'] as Record<string, Claims>
}

describe('what resolve answers', () => {
  test('B17 the answer holds metadata and the whole chain, signed, until the first of it expires', async () => {
    const top = await newDirect()
    const leaf = await newBelow(top, { claims: { exp: Math.floor(app.clock.now().getTime() / 1000) + 300 } })
    const answer = await resolve(app, leaf.id)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/resolve-response+jwt'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(decodeProtectedHeader(answer.text).typ).toBe('resolve-response+jwt')
    const claims = claimsOf(answer)
    const chain = (claims['trust_chain'] as string[]).map((text) => claimsOf({ text }))
    expect(chain.map(({ iss, sub }) => [iss, sub])).toEqual([
      [leaf.id, leaf.id],
      [top.id, leaf.id],
      [app.baseUrl, top.id],
      [app.baseUrl, app.baseUrl],
    ])
    expect(claims).toMatchObject({ iss: app.baseUrl, sub: leaf.id, exp: leaf.claims['exp'] })
    expect(claims).not.toHaveProperty('trust_marks')
    const metadata = claims['metadata'] as Record<string, Claims>
    expect(metadata['openid_relying_party']?.['client_name']).toBe(leaf.id)
  })

  test('B17 the metadata holds the requested types only', async () => {
    const leaf = await newDirect()
    expect(Object.keys(await metadataOf(leaf.id))).toEqual(['openid_relying_party'])
    expect(Object.keys(await metadataOf(leaf.id, ['openid_relying_party', 'federation_entity']))).toHaveLength(2)
    expect(await metadataOf(leaf.id, '__proto__')).toEqual({})
  })

  test('B17 the answer holds marks of this server that are active and about the subject', async () => {
    const ids = ['https://marks.example/a', 'https://marks.example/b', 'https://marks.example/c']
    const [leaf, other] = [await newDirect({ enrolment: { trust_mark_ids: ids } }), await newDirect()]
    const [first, second, third] = await Promise.all(
      ids.map(async (id) => (await ask(app, '/federation/trust-mark', { sub: leaf.id, trust_mark_id: id })).text),
    )
    const forge = (claims: Claims) =>
      handmadeJws(
        { alg: 'EdDSA', typ: 'trust-mark+jwt', kid: 'x' },
        { ...claimsOf({ text: first ?? '' }), ...claims },
        leaf.key,
      )
    const foreign = forge({})
    const odd = `${ids[0]}\u0000`
    const entries = [
      { id: ids[0], trust_mark: first },
      { trust_mark_type: ids[1], trust_mark: second },
      { trust_mark_id: ids[2], trust_mark: third },
      { id: ids[0], trust_mark: foreign },
      { id: ids[1], trust_mark: first },
      { trust_mark_id: ids[0], trust_mark_type: ids[1], trust_mark: first },
      { id: odd, trust_mark: forge({ trust_mark_id: odd, trust_mark_type: odd }) },
      { id: ids[0], trust_mark: 'garbage' },
      'garbage',
    ]
    leaf.claims['trust_marks'] = entries
    other.claims['trust_marks'] = entries
    const marksOf = async (sub: string) => claimsOf(await resolve(app, sub))['trust_marks']
    const told = (index: number, mark = '') => ({
      trust_mark_type: ids[index],
      trust_mark_id: ids[index],
      trust_mark: mark,
    })
    expect(await marksOf(leaf.id)).toEqual([told(0, first), told(1, second), told(2, third)])
    expect(await marksOf(other.id)).toBeUndefined()
    await patch(app, leaf.id, { trust_mark_ids: [ids[1]] })
    expect(await marksOf(leaf.id)).toEqual([told(1, second)])
  })

  test('B16 the anchor is this server, letter by letter', async () => {
    const leaf = await newDirect()
    const status = async (query: Record<string, string | string[]>) => {
      const { status: code, json } = await ask(app, '/federation/resolve', { sub: leaf.id, ...query })
      return [code, json['error']]
    }
    expect(await status({ anchor: app.baseUrl })).toEqual([200, undefined])
    expect(await status({ trust_anchor: ['https://other.example', app.baseUrl] })).toEqual([200, undefined])
    const foreign = [400, 'invalid_trust_anchor']
    expect(await status({ anchor: `${app.baseUrl}/` })).toEqual(foreign)
    expect(await status({ trust_anchor: 'https://other.example' })).toEqual(foreign)
    expect(await status({ anchor: 'https://other.example', trust_anchor: app.baseUrl })).toEqual(foreign)
    const none = await ask<{ detail: { loc: string[] }[] }>(app, '/federation/resolve', { sub: leaf.id })
    expect([none.status, none.json.detail[0]?.loc]).toEqual([422, ['query', 'anchor']])
    expect(await refusalOf(app.baseUrl)).toEqual(SUBJECT)
  })

  test('B15 entities may sign with ES256, Ed25519 and EdDSA', async () => {
    for (const alg of ['ES256', 'Ed25519', 'EdDSA'] as const) {
      const leaf = await newDirect({ alg })
      expect([alg, (await resolve(app, leaf.id)).status]).toEqual([alg, 200])
    }
  })
})

describe('paths', () => {
  test('B13 four intermediates are followed, five are not', async () => {
    let entity = await newDirect()
    const statuses: number[] = []
    for (let depth = 0; depth < 5; depth += 1) {
      entity = await newBelow(entity)
      statuses.push((await resolve(app, entity.id)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 404])
  })

  test('B13 the shortest valid one of several paths is taken', async () => {
    const top = await newDirect()
    const middle = await newBelow(top)
    const leaf = await newBelow(middle)
    const lengthOf = async () => (claimsOf(await resolve(app, leaf.id))['trust_chain'] as string[]).length
    expect(await lengthOf()).toBe(4 + 1)
    leaf.claims['authority_hints'] = [middle.id, top.id]
    vouchFor(top, leaf)
    expect(await lengthOf()).toBe(4)
    vouchFor(top, leaf, { exp: 1 })
    expect(await lengthOf()).toBe(5)
  })

  test('B13 loops, self references and dead ends end', async () => {
    const [one, two] = [await federation.entity('loop-1'), await federation.entity('loop-2')]
    one.claims['authority_hints'] = [two.id, one.id]
    two.claims['authority_hints'] = [one.id, 'https://127.0.0.1:1/', 'garbage', 7]
    vouchFor(one, two)
    vouchFor(two, one)
    federation.asked.length = 0
    expect(await refusalOf(one.id)).toEqual(SUBJECT)
    expect(federation.asked.length).toBeLessThanOrEqual(2)
    const top = await newDirect()
    vouchFor(top, one)
    one.claims['authority_hints'] = [two.id, one.id, top.id]
    expect((await resolve(app, one.id)).status).toBe(200)
  })

  test('B13 a hint with NUL leads nowhere, and harms no other path', async () => {
    const top = await newDirect()
    const leaf = await newBelow(await newBelow(top))
    const [good] = leaf.claims['authority_hints'] as string[]
    const odd = `${top.id}\u0000`
    leaf.claims['authority_hints'] = [odd, good]
    expect((await resolve(app, leaf.id)).status).toBe(200)
    leaf.claims['authority_hints'] = [odd]
    expect(await refusalOf(leaf.id)).toEqual(SUBJECT)
  })

  test('B13 a web of entities costs at most 32 fetches', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `web-${index}`)
    const web = await Promise.all(names.map((name) => federation.entity(name)))
    for (const [index, entity] of web.entries()) {
      const hints = Array.from({ length: 20 }, (_, step) => web[(index + step * 3 + 1) % 40]?.id ?? '')
      entity.claims['authority_hints'] = hints
    }
    federation.asked.length = 0
    expect(await refusalOf(web[0]?.id ?? '')).toEqual(SUBJECT)
    expect(federation.asked.length).toBeLessThanOrEqual(32)
  })

  test('B14 no path leads from entities that are unknown, or below one that is suspended or revoked', async () => {
    expect(await refusalOf('https://10.0.0.1/leaf')).toEqual(SUBJECT)
    expect(await refusalOf('garbage')).toEqual(SUBJECT)
    expect(await refusalOf(`${federation.origin}/unknown`)).toEqual(SUBJECT)
    const stranger = await federation.entity('stranger', { hints: [app.baseUrl] })
    expect(await refusalOf(stranger.id)).toEqual(SUBJECT)
    const top = await newDirect()
    const leaf = await newBelow(top)
    expect((await resolve(app, leaf.id)).status).toBe(200)
    for (const status of ['suspended', 'revoked']) {
      await patch(app, top.id, { status })
      expect([await refusalOf(top.id), await refusalOf(leaf.id)]).toEqual([SUBJECT, SUBJECT])
    }
  })

  test('B14 an active subordinate that is away, or does not name this server, breaks the chain', async () => {
    const top = await newDirect()
    const leaf = await newBelow(top)
    top.claims['authority_hints'] = ['https://other.example']
    expect([await refusalOf(top.id), await refusalOf(leaf.id)]).toEqual([CHAIN, CHAIN])
    top.handler = (_request, response) => void response.writeHead(500).end()
    expect([await refusalOf(top.id), await refusalOf(leaf.id)]).toEqual([CHAIN, CHAIN])
  })
})

describe('statements that break the chain', () => {
  const now = () => Math.floor(app.clock.now().getTime() / 1000)
  const claims: [string, () => Claims][] = [
    ['has expired', () => ({ exp: now() - 61 })],
    ['is from the future', () => ({ iat: now() + 90 })],
    ['has no iat', () => ({ iat: undefined })],
    ['has no exp', () => ({ exp: undefined })],
    ['has critical claims', () => ({ crit: ['other'], other: 1 })],
    ['is of another subject', () => ({ sub: 'https://other.example' })],
    ['is of another issuer', () => ({ iss: 'https://other.example' })],
    ['has no keys', () => ({ jwks: undefined })],
    ['has a policy about itself', () => ({ metadata_policy: {} })],
    ['has metadata of no shape', () => ({ metadata: { openid_relying_party: 1 } })],
  ]
  test.each(claims)('B14 a configuration that %s', async (_title, more) => {
    const leaf = await newDirect({ claims: more() })
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
  })

  const aboutOthers: [string, () => Claims][] = [
    ...claims.slice(0, 6),
    ['has critical policy operators', () => ({ metadata_policy_crit: ['regexp'] })],
    ['has constraints of no shape', () => ({ constraints: { max_path_length: -1 } })],
    ['has a policy of no shape', () => ({ metadata_policy: { openid_relying_party: 1 } })],
    ['has authority_hints', () => ({ authority_hints: ['https://other.example'] })],
    ['has other keys than the entity', () => ({ jwks: { keys: [] } })],
  ]
  test.each(aboutOthers)('B14 a statement of an intermediate that %s', async (_title, more) => {
    const leaf = await newBelow(await newDirect(), { enrolment: more() })
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
  })

  test('B14 a statement of another typ, without kid, with an unknown one or with crit', async () => {
    for (const header of [{ typ: 'jwt' }, { typ: undefined }, { kid: undefined }, { kid: 'unknown' }]) {
      const leaf = await newDirect()
      leaf.header = header
      expect([header, await refusalOf(leaf.id)]).toEqual([header, CHAIN])
    }
    const leaf = await newDirect()
    leaf.handler = (_request, response) => {
      const header = { alg: 'EdDSA', typ: 'entity-statement+jwt', kid: leaf.kid, crit: ['x'], x: 1 }
      response.writeHead(200, { 'content-type': ENTITY_STATEMENT })
      response.end(handmadeJws(header, { iss: leaf.id, sub: leaf.id, authority_hints: [app.baseUrl] }, leaf.key))
    }
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
  })

  test.each<[string, Claims]>([
    ['another typ', { typ: 'jwt' }],
    ['no typ', { typ: undefined }],
    ['no kid', { kid: undefined }],
    ['an unknown kid', { kid: 'unknown' }],
    ['crit', { crit: ['x'], x: 1 }],
  ])('B14 a statement of an intermediate whose header has %s', async (_title, header) => {
    const top = await newDirect()
    const leaf = await newBelow(top)
    top.aboutHeader = header
    expect([await refusalOf(leaf.id), (await resolve(app, top.id)).status]).toEqual([CHAIN, 200])
  })

  test('B14 a statement of an intermediate that another key signed, also that of the entity it is about', async () => {
    const top = await newDirect()
    const leaf = await newBelow(top)
    for (const signer of [await newKey(), leaf.key]) {
      top.aboutSigner = signer
      expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    }
    top.aboutSigner = top.key
    expect((await resolve(app, leaf.id)).status).toBe(200)
  })

  test('B15 a configuration that is signed by another key than its own, or than the attested one', async () => {
    const other = await newKey()
    const [wrong, swapped] = [await newDirect(), await newDirect()]
    wrong.signer = other
    swapped.signer = other
    swapped.claims['jwks'] = { keys: [{ ...other.jwk, kid: swapped.kid }] }
    expect([await refusalOf(wrong.id), await refusalOf(swapped.id)]).toEqual([CHAIN, CHAIN])
    const top = await newDirect()
    const leaf = await newBelow(top, { enrolment: { jwks: { keys: [{ ...other.jwk, kid: 'x' }] } } })
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    const forger = await newBelow(top)
    await patch(app, top.id, { jwks: { keys: [{ ...other.jwk, kid: top.kid }] } })
    expect(await refusalOf(forger.id)).toEqual(CHAIN)
  })

  test('B15 alg none and HS256 with a public key are refused', async () => {
    for (const alg of ['none', 'HS256', 'RS256']) {
      const leaf = await newDirect()
      leaf.handler = (_request, response) => {
        const payload = { iss: leaf.id, sub: leaf.id, iat: now(), exp: now() + 60, jwks: leaf.jwks }
        response.writeHead(200, { 'content-type': ENTITY_STATEMENT })
        response.end(
          handmadeJws(
            { alg, typ: 'entity-statement+jwt', kid: leaf.kid },
            { ...payload, authority_hints: [app.baseUrl] },
            () => Buffer.alloc(64, 1),
          ),
        )
      }
      expect([alg, await refusalOf(leaf.id)]).toEqual([alg, CHAIN])
    }
  })

  test('B13 answers that redirect, are too large, of another media type, or no JWS', async () => {
    const target = await newDirect()
    const handlers: Entity['handler'][] = [
      (_request, response) =>
        void response.writeHead(302, { location: `${target.id}/.well-known/openid-federation` }).end(),
      (_request, response) =>
        void response.writeHead(200, { 'content-type': ENTITY_STATEMENT }).end('a'.repeat(5_000_000)),
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      (_request, response) => void response.writeHead(200, { 'content-type': ENTITY_STATEMENT }).end('a.b.c'),
      (request) => void request.socket.destroy(),
    ]
    for (const handler of handlers) {
      const leaf = await newDirect()
      leaf.handler = handler
      expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    }
  })

  test.concurrent('B13 a server that does not answer costs at most ten seconds', async () => {
    const top = await newDirect()
    const leaf = await newBelow(top)
    const respond = top.handler
    top.handler = () => undefined
    const startedAt = performance.now()
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    expect(performance.now() - startedAt).toBeLessThan(10_500)
    top.handler = respond
  }, 15_000)

  test.concurrent('B13 servers that are slow one after the other cost at most ten seconds together', async () => {
    const [slowTop, late] = [await newDirect(), await newDirect()]
    const leaf = await newBelow(slowTop)
    const low = await newBelow(await newBelow(late))
    const slowDown = (entity: Entity) => {
      entity.handler = (request, response) => {
        setTimeout(() => federation.answer(entity, request, response), 4_000)
      }
    }
    const chain = [low, ...(low.claims['authority_hints'] as string[]).map((id) => federation.find(id)), late]
    for (const entity of [slowTop, ...chain]) slowDown(entity ?? expect.fail('no entity'))
    const startedAt = performance.now()
    const outcomes = await Promise.all([resolve(app, leaf.id), refusalOf(low.id)])
    expect(performance.now() - startedAt).toBeLessThan(10_900)
    expect([outcomes[0].status, outcomes[1]]).toEqual([200, CHAIN])
  }, 20_000)

  test('B14 a statement that an intermediate does not serve', async () => {
    const top = await newDirect()
    const leaf = await newBelow(top)
    top.about.clear()
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    top.claims['metadata'] = {}
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
  })
})

describe('constraints and policies', () => {
  test('B17 max_path_length counts the intermediates between its issuer and the subject', async () => {
    const top = await newDirect({ enrolment: { constraints: { max_path_length: 0 } } })
    const leaf = await newBelow(top)
    expect([(await resolve(app, top.id)).status, await refusalOf(leaf.id)]).toEqual([200, CHAIN])
    await patch(app, top.id, { constraints: { max_path_length: 1 } })
    const below = await newBelow(leaf)
    expect([(await resolve(app, leaf.id)).status, await refusalOf(below.id)]).toEqual([200, CHAIN])
  })

  test('B17 naming_constraints hold for every entity below, by host without port, and exclusion wins', async () => {
    const top = await newDirect({ enrolment: { constraints: { naming_constraints: { permitted: ['127.0.0.1'] } } } })
    const leaf = await newBelow(top)
    expect((await resolve(app, leaf.id)).status).toBe(200)
    const naming = (constraints: Claims) => patch(app, top.id, { constraints: { naming_constraints: constraints } })
    await naming({ permitted: ['.example'] })
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    await naming({ permitted: ['127.0.0.1'], excluded: ['127.0.0.1'] })
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
    await naming({ excluded: ['.0.0.1'] })
    expect(await refusalOf(leaf.id)).toEqual(CHAIN)
  })

  test('B17 a type that a superior does not allow is dropped, federation_entity never', async () => {
    const leaf = await newDirect({ enrolment: { constraints: { allowed_entity_types: ['openid_provider'] } } })
    expect(Object.keys(claimsOf(await resolve(app, leaf.id))['metadata'] as Claims)).toEqual(['federation_entity'])
  })

  test('a superior overrides metadata, and merged policies apply to the result', async () => {
    const policy = (operators: Claims) => ({ openid_relying_party: { grant_types: operators } })
    const top = await newDirect({
      enrolment: { metadata_policy: policy({ subset_of: ['authorization_code', 'implicit'] }) },
    })
    const leaf = await newBelow(top, {
      enrolment: {
        metadata: { openid_relying_party: { client_name: 'Overridden' }, openid_provider: { x: 1 } },
        metadata_policy: policy({ subset_of: ['authorization_code', 'refresh_token'], regexp: '.*' }),
      },
    })
    const metadata = claimsOf(await resolve(app, leaf.id))['metadata'] as Record<string, Claims>
    expect(metadata['openid_relying_party']).toEqual({
      client_name: 'Overridden',
      grant_types: ['authorization_code'],
    })
    expect(metadata).not.toHaveProperty('openid_provider')
  })

  test('B14 policies that contradict each other, or that the metadata does not meet', async () => {
    const policy = (operators: Claims) => ({ metadata_policy: { openid_relying_party: { client_name: operators } } })
    const top = await newDirect({ enrolment: policy({ value: 'one' }) })
    const torn = await newBelow(top, { enrolment: policy({ value: 'other' }) })
    expect(await refusalOf(torn.id)).toEqual(METADATA)
    const unmet = await newDirect({ enrolment: policy({ one_of: ['other'] }) })
    expect(await refusalOf(unmet.id)).toEqual(METADATA)
    const forbidden = await newBelow(await newDirect(), { enrolment: policy({ one_of: ['a'], add: ['a'] }) })
    expect(await refusalOf(forbidden.id)).toEqual(METADATA)
  })

  test('hostile names in metadata and policies change nothing here', async () => {
    const leaf = await newDirect()
    leaf.handler = (_request, response) => {
      const seconds = Math.floor(app.clock.now().getTime() / 1000)
      const metadata =
        '{"__proto__":{"polluted":"x"},"constructor":{"a":1},"openid_relying_party":{"__proto__":{"polluted":1}}}'
      const payload = JSON.stringify({
        iss: leaf.id,
        sub: leaf.id,
        iat: seconds,
        exp: seconds + 60,
        jwks: leaf.jwks,
        authority_hints: [app.baseUrl],
      }).replace(/}$/, `,"metadata":${metadata}}`)
      response.writeHead(200, { 'content-type': ENTITY_STATEMENT })
      response.end(handmadeJws({ alg: 'EdDSA', typ: 'entity-statement+jwt', kid: leaf.kid }, payload, leaf.key))
    }
    const answer = await resolve(app, leaf.id)
    expect(claimsOf(answer)['metadata']).toEqual({ constructor: { a: 1 }, openid_relying_party: {} })
    expect(({} as Claims)['polluted']).toBeUndefined()
  })

  test('the answer verifies with the keys of the entity configuration', async () => {
    const leaf = await newDirect()
    const configuration = claimsOf(await exchange(`${app.baseUrl}/.well-known/openid-federation`))
    const { createLocalJWKSet } = await import('jose')
    await jwtVerify((await resolve(app, leaf.id)).text, createLocalJWKSet(configuration['jwks'] as never), {
      issuer: app.baseUrl,
      typ: 'resolve-response+jwt',
    })
  })
})

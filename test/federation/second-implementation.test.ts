/**
 * This server as a trust anchor, read by @openid-federation/core 0.2.1: it fetches and verifies the statements and applies
 * the policies. Where it knows an older draft, the test names the section of the final text.
 */
import {
  applyMetadataPolicyToMetadata,
  combineMetadataPolicies,
  type EntityConfigurationClaims,
  type EntityStatementClaims,
  entityConfigurationClaimsSchema,
  entityStatementClaimsSchema,
  fetchEntityConfiguration,
  fetchEntityConfigurationChains,
  fetchEntityStatement,
  trustMarkClaimsSchema,
  type VerifyCallback,
} from '@openid-federation/core'
import { compactVerify, createLocalJWKSet, importJWK, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'
import {
  ask,
  type Claims,
  claimsOf,
  type Entity,
  enrol,
  type Federation,
  patch,
  resolve,
  startFederation,
  vouchFor,
} from './entities'

const MARK = 'https://marks.example/verified'
const TYPE = 'openid_relying_party'

let app: App
let federation: Federation
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true' }, seed: false })
  federation = await startFederation(app)
})
afterAll(async () => {
  await federation.close()
  await app.close()
})

const verifyJwtCallback: VerifyCallback = async ({ jwt, header, jwk }) => {
  await compactVerify(jwt, await importJWK(jwk as never, String(header?.['alg'])))
  return true
}

/** The library compares the whole media type: ours as it is, while the entities of the tests send theirs with a parameter. */
const fetchCallback: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.url.startsWith(`${app.baseUrl}/`)) return response
  const headers = { 'content-type': response.headers.get('content-type')?.split(';')[0] ?? '' }
  return new Response(await response.text(), { status: response.status, headers })
}

/**
 * Our configuration as far as the library reads it: verified, and without the type that it refuses because members of
 * OpenID Providers are missing.
 */
async function anchorConfiguration(): Promise<EntityConfigurationClaims> {
  const { text } = await exchange(`${app.baseUrl}/.well-known/openid-federation`)
  const claims = claimsOf({ text })
  await jwtVerify(text, createLocalJWKSet(claims['jwks'] as JSONWebKeySet))
  const { openid_credential_issuer: _left, ...metadata } = claims['metadata'] as Claims
  return entityConfigurationClaimsSchema.parse({ ...claims, metadata })
}

const configurationOf = (entity: Entity) =>
  fetchEntityConfiguration({ entityId: entity.id, verifyJwtCallback, fetchCallback })
const statementAbout = (entity: Entity, issuer: EntityConfigurationClaims) =>
  fetchEntityStatement({
    iss: issuer.iss,
    sub: entity.id,
    issEntityConfiguration: issuer,
    verifyJwtCallback,
    fetchCallback,
  })

let count = 0
async function newEntity(hints: readonly string[], metadata: Claims = {}): Promise<Entity> {
  count += 1
  const entity = await federation.entity(`entity-${count}`, { hints })
  entity.claims['metadata'] = {
    federation_entity: { federation_fetch_endpoint: `${entity.id}/fetch` },
    [TYPE]: { client_registration_types: ['automatic'], ...metadata },
  }
  return entity
}

describe('an anchor, an intermediate and a leaf', () => {
  let middle: Entity
  let leaf: Entity
  beforeAll(async () => {
    middle = await newEntity([app.baseUrl])
    leaf = await newEntity([middle.id], { grant_types: ['authorization_code', 'implicit'], client_name: 'Leaf' })
    const policy = { grant_types: { subset_of: ['authorization_code', 'refresh_token'] }, scope: { default: 'openid' } }
    await enrol(app, middle, {
      metadata_policy: { [TYPE]: policy },
      constraints: { max_path_length: 1 },
      trust_mark_ids: [MARK],
    })
    vouchFor(middle, leaf, {
      metadata: { [TYPE]: { client_registration_types: ['automatic'], client_name: 'Renamed' } },
      metadata_policy: { [TYPE]: { contacts: { add: ['a@b.example'] } } },
    })
  })

  test('the library fetches and verifies each link and resolves the same metadata as this server', async () => {
    const anchor = await anchorConfiguration()
    const ours = await statementAbout(middle, anchor)
    expect(ours).toMatchObject({ iss: app.baseUrl, sub: middle.id, source_endpoint: `${app.baseUrl}/federation/fetch` })
    const intermediate = await configurationOf(middle)
    expect(ours.jwks.keys.map(({ kid }) => kid)).toEqual(intermediate.jwks.keys.map(({ kid }) => kid))
    const theirs = await statementAbout(leaf, { ...intermediate, jwks: ours.jwks })
    const own = await configurationOf(leaf)
    const { mergedPolicy } = combineMetadataPolicies({ statements: [theirs, ours] })
    const overridden = { ...own.metadata?.[TYPE], ...theirs.metadata?.[TYPE] }
    const { resolvedLeafMetadata } = applyMetadataPolicyToMetadata({
      leafMetadata: { [TYPE]: overridden } as never,
      policyMetadata: mergedPolicy as never,
    })
    const resolved = claimsOf(await resolve(app, leaf.id, { entity_type: TYPE }))
    expect(resolved['metadata']).toEqual(resolvedLeafMetadata)
    expect(resolvedLeafMetadata).toMatchObject({
      [TYPE]: { client_name: 'Renamed', grant_types: ['authorization_code'] },
    })
  })

  test('every statement of the trust chain in our answer is one that the library reads', async () => {
    const chain = claimsOf(await resolve(app, leaf.id))['trust_chain'] as string[]
    const read = chain.slice(0, 3).map((text) => entityStatementClaimsSchema.parse(claimsOf({ text })))
    const links = [...read, await anchorConfiguration()].map(({ iss, sub }) => [iss, sub])
    expect(links).toEqual([
      [leaf.id, leaf.id],
      [middle.id, leaf.id],
      [app.baseUrl, middle.id],
      [app.baseUrl, app.baseUrl],
    ])
  })

  test('a statement that another key signed, and one about a suspended subordinate, is none for the library', async () => {
    const anchor = await anchorConfiguration()
    const forged = { ...anchor, jwks: middle.jwks as never }
    await expect(statementAbout(middle, forged)).rejects.toThrow()
    const suspended = await newEntity([app.baseUrl])
    await enrol(app, suspended)
    await statementAbout(suspended, anchor)
    await patch(app, suspended.id, { status: 'suspended' })
    await expect(statementAbout(suspended, anchor)).rejects.toThrow()
  })

  test('5.1.3: the library wants members of OpenID Providers in openid_credential_issuer, and so refuses our whole chain', async () => {
    const whole = fetchEntityConfiguration({ entityId: app.baseUrl, verifyJwtCallback, fetchCallback })
    await expect(whole).rejects.toThrow('invalid')
    const options = { leafEntityId: middle.id, trustAnchorEntityIds: [app.baseUrl], verifyJwtCallback, fetchCallback }
    expect(await fetchEntityConfigurationChains(options)).toEqual([])
  })

  test('7.1: the library reads the claims of our marks but for the type, which it knows by the name of a draft', async () => {
    const { text } = await ask(app, '/federation/trust-mark', { sub: middle.id, trust_mark_id: MARK })
    const { jwks } = await anchorConfiguration()
    await jwtVerify(text, createLocalJWKSet(jwks as JSONWebKeySet), { typ: 'trust-mark+jwt', issuer: app.baseUrl })
    const claims = claimsOf({ text })
    expect(trustMarkClaimsSchema.safeParse(claims).error?.issues.map(({ path }) => path)).toEqual([['id']])
    const read = trustMarkClaimsSchema.parse({ ...claims, id: claims['trust_mark_type'] })
    expect(read).toMatchObject({ iss: app.baseUrl, sub: middle.id, id: MARK })
  })
})

describe('policies in which the library differs from the final text', () => {
  const statement = (policy: Claims) => ({ metadata_policy: { [TYPE]: policy } }) as unknown as EntityStatementClaims
  /** What the library makes of metadata under the policies of the intermediate and of the anchor. */
  const resolveTheirs = (metadata: Claims, [intermediate, anchor]: readonly [Claims, Claims]): unknown => {
    try {
      const { mergedPolicy } = combineMetadataPolicies({ statements: [statement(intermediate), statement(anchor)] })
      const leafMetadata = { [TYPE]: metadata } as never
      return applyMetadataPolicyToMetadata({ leafMetadata, policyMetadata: mergedPolicy as never })
        .resolvedLeafMetadata[TYPE]
    } catch {
      return 'refused'
    }
  }
  const resolveOurs = async (metadata: Claims, [intermediate, anchor]: readonly [Claims, Claims]): Promise<unknown> => {
    const middle = await newEntity([app.baseUrl])
    const leaf = await newEntity([middle.id])
    leaf.claims['metadata'] = { [TYPE]: metadata }
    vouchFor(middle, leaf, { metadata_policy: { [TYPE]: intermediate } })
    expect((await enrol(app, middle, { metadata_policy: { [TYPE]: anchor } })).status).toBe(201)
    const answer = await resolve(app, leaf.id)
    return answer.status === 200 ? (claimsOf(answer)['metadata'] as Record<string, unknown>)[TYPE] : 'refused'
  }

  test.each<[string, Claims, readonly [Claims, Claims], unknown, unknown]>([
    [
      '6.1.3.1.6: superset_of holds when the metadata has more than it lists',
      { grants: ['a', 'b'] },
      [{}, { grants: { superset_of: ['a'] } }],
      { grants: ['a', 'b'] },
      'refused',
    ],
    [
      '6.1.3.1.5: subset_of says nothing of a parameter that is absent',
      { other: 1 },
      [{}, { grants: { subset_of: ['a'] } }],
      { other: 1 },
      'refused',
    ],
    [
      '6.1.3.1.5: subset_of that leaves nothing leaves an empty list',
      { grants: ['b'] },
      [{}, { grants: { subset_of: ['a'] } }],
      { grants: [] },
      {},
    ],
    [
      '6.1.3.1.5: two subset_of without a common value merge to an empty one',
      { grants: ['a'] },
      [{ grants: { subset_of: ['b'] } }, { grants: { subset_of: ['a'] } }],
      { grants: [] },
      'refused',
    ],
  ])('%s', async (_title, metadata, policies, ours, theirs) => {
    expect(await resolveOurs(metadata, policies)).toEqual(ours)
    expect(resolveTheirs(metadata, policies)).toEqual(theirs)
  })

  test.each<[string, Claims, readonly [Claims, Claims]]>([
    ['value', { p: 'x' }, [{}, { p: { value: 'y' } }]],
    ['value null', { p: 'x', q: 1 }, [{}, { p: { value: null } }]],
    ['add', { p: ['x'] }, [{ p: { add: ['y'] } }, { p: { add: ['z'] } }]],
    ['default', { q: 1 }, [{ p: { default: ['y'] } }, {}]],
    ['one_of', { p: 'x' }, [{ p: { one_of: ['x', 'y'] } }, { p: { one_of: ['x', 'z'] } }]],
    ['one_of that is not met', { p: 'y' }, [{ p: { one_of: ['x', 'y'] } }, { p: { one_of: ['x', 'z'] } }]],
    ['subset_of', { p: ['x', 'y'] }, [{ p: { subset_of: ['x', 'y'] } }, { p: { subset_of: ['x', 'z'] } }]],
    ['essential that is not met', { q: 1 }, [{}, { p: { essential: true } }]],
    ['essential that one superior asks for', { q: 1 }, [{ p: { essential: true } }, { p: { essential: false } }]],
    ['two values', { p: 'x' }, [{ p: { value: 'x' } }, { p: { value: 'y' } }]],
  ])('the library and this server agree on %s', async (_title, metadata, policies) => {
    expect(await resolveOurs(metadata, policies)).toEqual(resolveTheirs(metadata, policies))
  })
})

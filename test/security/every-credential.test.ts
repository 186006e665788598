import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access, EndpointShape } from '@/server/base/contract/endpoint'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import { appRouter } from '@/server/transport/trpc/router'
import { draftOf, send } from '../hostile/requests'
import type { Mutation } from '../hostile/values'
import { app, openWorld, world } from '../hostile/world'
import { clientAssertion, dpopProof, type Key, newSetupToken, Person, type TokenAnswer } from '../support/actors'
import { Browser, newPortalPerson } from '../support/browser'

/** What a caller presents. Each is genuine: it opens something, but not what is asked for here. */
interface Credential {
  readonly name: string
  /** Whether an endpoint with this access takes it. */
  readonly opens: (access: Access) => boolean
  readonly present: (at: At) => Promise<Presented>
}

interface Presented {
  readonly headers: Record<string, string>
  /** What the body carries besides. */
  readonly members?: Record<string, string>
}

interface At {
  readonly access: Access
  readonly method: string
  readonly path: string
}

const opensNothing = () => false
const ofActor = (actor: Access['actor']) => (access: Access) => access.actor === actor

let bought: TokenAnswer
let reader: Person
let setupToken: string
let browser: Browser
beforeAll(async () => {
  // Without a token of its operator, a sandbox takes anybody for a server that works for it.
  await openWorld()
  bought = await world.agent.buy()
  reader = await Person.signIn(app, world.person.principalId, 'wallet:read')
  setupToken = await newSetupToken(app, world.person.principalId)
  browser = await signInToPortal()
})
afterAll(() => app.close())

async function signInToPortal(): Promise<Browser> {
  const email = 'somebody@demo.test'
  await newPortalPerson(app.platform, { id: 'somebody', email })
  const signedIn = new Browser(app.platform)
  await signedIn.signInByMail(email)
  return signedIn
}

async function withProof({ method, path }: At, key: Key, accessToken: string): Promise<Presented> {
  const proof = { method, url: app.baseUrl, accessToken, claims: { htu: app.baseUrl + path } }
  return { headers: { authorization: `DPoP ${accessToken}`, dpop: await dpopProof(app, key, proof) } }
}

/** A client's assertion where the endpoint looks for one. */
async function asserted({ access }: At, client: { clientId: string; key: Key }): Promise<Presented> {
  const [assertion, place] = [await clientAssertion(app, client), access.actor === 'client' ? access.credentials : null]
  if (place === 'headers' || access.actor === 'backend')
    return { headers: { 'x-client-id': client.clientId, 'x-client-assertion': assertion } }
  if (place !== 'body') return { headers: { authorization: `PrivateKeyJwt ${assertion}` } }
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const members = { client_id: client.clientId, client_assertion_type: type, client_assertion: assertion }
  return { headers: {}, members }
}

/** Where tokens are minted, any caller can prove a key of its own. */
async function ownProof({ access, method }: EndpointShape, path: string): Promise<Record<string, string>> {
  if (access.actor !== 'client' || access.dpop !== 'mint') return {}
  const nonce = await world.agent.freshNonce()
  return {
    dpop: await dpopProof(app, world.key, { method, url: app.baseUrl, nonce, claims: { htu: app.baseUrl + path } }),
  }
}

const bearer = (token: string): Presented => ({ headers: { authorization: `Bearer ${token}` } })

const credentials: readonly Credential[] = [
  { name: 'nothing', opens: opensNothing, present: async () => ({ headers: {} }) },
  {
    name: 'the operator token',
    opens: (access) => access.actor === 'operator' || access.actor === 'backend',
    present: async () => bearer(app.operatorToken),
  },
  {
    name: 'the token that reads metrics',
    opens: (access) => access.actor === 'operator' && access.alsoToken === 'metrics',
    present: async () => bearer(app.platform.config.secrets.metricsToken ?? ''),
  },
  {
    name: 'the operator token without its last character',
    opens: opensNothing,
    present: async () => bearer(app.operatorToken.slice(0, -1)),
  },
  {
    name: 'a wallet token',
    opens: ofActor('wallet'),
    present: (at) => withProof(at, world.person.key, world.person.token),
  },
  {
    name: 'a wallet token that may only read',
    opens: (access) => access.actor === 'wallet' && (access.scope === null || access.scope === 'wallet:read'),
    present: (at) => withProof(at, reader.key, reader.token),
  },
  {
    name: 'a stolen wallet token, proved with another key',
    opens: opensNothing,
    present: (at) => withProof(at, world.key, world.person.token),
  },
  {
    name: 'a payment token',
    opens: ofActor('agent'),
    present: (at) => withProof(at, world.agent.dpopKey, bought.access_token),
  },
  {
    name: 'a stolen payment token, proved with another key',
    opens: opensNothing,
    present: (at) => withProof(at, world.key, bought.access_token),
  },
  {
    name: 'a mandate as a token',
    opens: opensNothing,
    present: (at) => withProof(at, world.agent.dpopKey, bought.mandate_jwt),
  },
  {
    name: 'an agent’s assertion',
    opens: (access) => access.actor === 'client' && access.kind !== 'wallet',
    present: (at) => asserted(at, world.agent),
  },
  {
    name: 'a wallet client’s assertion',
    opens: (access) =>
      (access.actor === 'backend' && access.operatorOnly !== true) ||
      (access.actor === 'client' && access.kind !== 'agent'),
    present: (at) => asserted(at, world.wallet),
  },
  { name: 'a refresh token', opens: opensNothing, present: async () => bearer(bought.refresh_token) },
  { name: 'a setup token', opens: opensNothing, present: async () => bearer(setupToken) },
  {
    name: 'a registration access token',
    opens: opensNothing,
    present: async () => bearer(String(world.things['registration_access_token'])),
  },
  {
    name: 'the portal’s cookie',
    opens: opensNothing,
    present: async () => ({ headers: { cookie: browser.cookieHeader() } }),
  },
]

const endpoints = operations.map(({ endpoint }) => endpoint)
const guarded = endpoints.filter(({ access }) => access.actor !== 'anonymous')

/** Each answers strangers, because of what it says here; anything else asks who calls. */
const open: Readonly<Record<string, readonly string[]>> = {
  'it is public': [
    'readLiveness',
    'readReadiness',
    'readDocs',
    'readDocsAsset',
    'readLlms',
    'readOpenApi',
    'readJwks',
    'readWellKnownJwks',
    'readVcIssuer',
    'readServerMetadata',
    'readMandateType',
    'readStatusList',
    'readStatusLists',
    'readPortabilitySchema',
    'readCredentialIssuer',
    'readServiceMandateType',
    'readAgeVerifiedBuyerType',
    'createCredentialNonce',
    'readEntityConfiguration',
    'fetchSubordinateStatement',
    'listSubordinateIds',
    'issueTrustMark',
    'checkTrustMark',
    'readTrustMarkStatus',
    'resolveEntity',
    'readMerchantKeys',
  ],
  'it takes a credential of its own in the request': [
    'authorize',
    'readPushedRequestStatus',
    'confirmMagicLink',
    'registerClient',
    'readClient',
    'receiveProcessorWebhook',
    'receiveRcsCallback',
    'serveRequestObject',
    'takeWalletResponse',
    'readCredentialOffer',
    'issueCredential',
  ],
}

/** What every table holds but for counters and marks of use, which refusals may leave. */
async function fingerprint(): Promise<Record<string, string>> {
  const { db } = app.platform
  const tables = await db.query<{ name: string }>(
    sql`SELECT table_name AS name FROM information_schema.tables
         WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
           AND table_name NOT IN ('replay_keys', 'rate_limits', 'request_log', 'portal_sessions')`,
  )
  const digests = tables.map(
    ({ name }) =>
      sql`SELECT '${sql.raw(name)}' AS name, coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') AS digest
            FROM ${sql.raw(name)} t`,
  )
  const rows = await db.query<{ name: string; digest: string }>(
    digests.reduce((all, one) => sql`${all} UNION ALL ${one}`),
  )
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** A request that is good but for who asks. */
async function draftWith(endpoint: EndpointShape, { name, present }: Credential) {
  const bare = await draftOf(endpoint, { caller: 'nobody', variant: 0, mutations: [] })
  const path = bare.target.split('?')[0] ?? ''
  const given = await present({ access: endpoint.access, method: endpoint.method, path })
  const mutations = Object.entries(given.members ?? {}).map(
    ([member, made]): Mutation => ({ place: 'member', name: member, value: { made }, twice: false }),
  )
  const draft = mutations.length === 0 ? bare : await draftOf(endpoint, { caller: 'nobody', variant: 0, mutations })
  const headers = Object.entries({ ...given.headers, ...(await ownProof(endpoint, path)) })
  return { name, draft: { ...draft, headers: [...draft.headers, ...headers] } }
}

describe('every operation against every credential', () => {
  test('an operation that answers strangers is known to do so', () => {
    const answering = endpoints.filter(({ access, sandboxOnly }) => access.actor === 'anonymous' && !sandboxOnly)
    expect(answering.map(({ operationId }) => operationId).toSorted()).toEqual(Object.values(open).flat().toSorted())
  })

  test.each(guarded.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    'the operation %s refuses every credential but its own, and changes nothing',
    async (_name, endpoint) => {
      const strangers = credentials.filter(({ opens }) => !opens(endpoint.access))
      const drafts = await Promise.all(strangers.map((credential) => draftWith(endpoint, credential)))
      const before = await fingerprint()
      for (const { name, draft } of drafts) {
        const { status, text } = await send(draft)
        expect([401, 403], `${name}: ${status} ${text}`).toContain(status)
      }
      expect(await fingerprint()).toEqual(before)
    },
  )
})

describe('operations whose credential is in the headers', () => {
  const inHeaders = guarded.filter(({ access }) => access.actor !== 'client' || access.credentials !== 'body')

  test.each(inHeaders.map(({ operationId, method, path }) => [operationId, { method, path }] as const))(
    'the operation %s asks for the credential before it asks for a body',
    async (_name, { method, path }) => {
      const url = app.baseUrl + path.replaceAll(/\{[^}]*\}/g, 'x')
      for (const headers of [{}, { authorization: 'DPoP wrong' }]) {
        expect((await fetch(url, { method, headers })).status).toBe(401)
      }
    },
  )
})

describe('every procedure of the portal against every credential', () => {
  // Flat at run time, by dotted name; the types are those of the nested routers.
  const flat: Readonly<Record<string, unknown>> = appRouter._def.procedures
  const procedures = Object.entries(flat as Readonly<Record<string, { readonly _def: { readonly type: string } }>>)
  /** They take the token of a mailed link, and nothing else. */
  const ofLinks = ['links.read', 'links.confirm']

  let before: Record<string, string>
  beforeAll(async () => {
    before = await fingerprint()
  })

  test.each(
    procedures.map(
      ([
        name,
        {
          _def: { type },
        },
      ]) => [name, type] as const,
    ),
  )('the procedure %s takes no credential but the cookie, from our own pages', async (name, type) => {
    const ask = (visitor: Browser, headers: Record<string, string>) =>
      type === 'mutation' ? visitor.mutate(name, {}, headers) : visitor.send(`/api/trpc/${name}`, { headers })
    for (const { name: what, present } of credentials.slice(0, -1)) {
      const given = await present({ access: { actor: 'anonymous' }, method: 'POST', path: '/api/trpc' })
      const refused = ofLinks.includes(name) ? 400 : 401
      expect((await ask(new Browser(app.platform), given.headers)).status, what).toBe(refused)
    }
    if (type === 'mutation') {
      expect((await ask(browser, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
      expect((await ask(browser, { 'sec-fetch-site': '', origin: 'https://evil.example' })).status).toBe(403)
    }
    expect(await fingerprint()).toEqual(before)
  })
})

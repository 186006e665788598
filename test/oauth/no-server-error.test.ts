import { createHmac, randomUUID } from 'node:crypto'
import { request as openRequest } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import type { EndpointShape } from '@/server/contract/endpoint'
import { statusOfCode } from '@/server/core/errors'
import { operations } from '@/server/operations'
import {
  Agent,
  ALL_SCOPES,
  clientAssertion,
  dpopProof,
  exchange,
  type Key,
  newKey,
  newPrincipal,
  newSetupToken,
  newWalletClient,
  operate,
  Person,
  REDIRECT_URI,
} from '../actors'
import { type App, startApp } from '../app'

/** Another seed tries other requests. A failure prints the request, and the path that fast-check replays it from. */
const SEED = 20_261_121
const RUNS_PER_OPERATION = 8

/** Enough for 414; what is much longer than Node's parser takes would break the connection while it is being sent. */
const TARGET_MAX_CHARS = 8_500

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const CLIENT_PARAMETERS = ['client_id', 'client_assertion', 'client_assertion_type', 'client_secret']
const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a.b', 'a[]', '0', '\u0000']

let app: App
let world: World
beforeAll(async () => {
  app = await startApp()
  world = await buildWorld()
})
afterAll(() => app.close())

type Caller = Pick<Agent, 'clientId' | 'key'>

/** People, agents and things that exist, so that a request is good but for what is done to it. */
interface World {
  readonly agent: Agent
  readonly spare: Agent
  /** Whose purchases wait for a mailed link. */
  readonly gated: Agent
  readonly person: Person
  readonly wallet: Caller
  readonly key: Key
  /** Values by the name that the contracts give them. */
  readonly things: Readonly<Record<string, unknown>>
}

async function buildWorld(): Promise<World> {
  const [one, other, careful] = await Promise.all([
    newPrincipal(app, { approval_rule: 'above_limits' }),
    newPrincipal(app, { approval_rule: 'every_purchase' }),
    newPrincipal(app, { approval_rule: 'above_limits', magic_link_gate: true }),
  ])
  const agent = await Agent.register(app, one.principalId)
  const spare = await Agent.register(app, other.principalId)
  const person = await Person.signIn(app, other.principalId, 'wallet:read wallet:write audit:read privacy:dsar')
  await spare.push((await spare.purchase()).form)
  const key = await newKey()
  const bought = await agent.buy()
  const settled = (await agent.settle<Record<string, string>>(bought.access_token, bought.mandate_jwt, 'seed')).json
  const intent = (await person.call<Record<string, string>>('POST', '/wallet/setup-intent')).json
  const merchants = await operate<{ merchants: { id: string }[] }>(app, 'GET', '/merchants')
  const registered = await register({ jwks: { keys: [key.jwk] } })
  const wallet = await newWalletClient(app)
  const ruled = await newPrincipal(app, { wallet_client_id: wallet.clientId })
  return {
    agent,
    spare,
    gated: await Agent.register(app, careful.principalId),
    person,
    wallet,
    key,
    things: {
      ...registered,
      principal_id: other.principalId,
      authorization_id: (await person.pending())[0]?.['authorization_id'],
      decision: 'approve',
      token: bought.refresh_token,
      token_type_hint: 'refresh_token',
      scope: 'openid',
      presentation: bought.mandate_jwt,
      line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }],
      receipt_jws: settled['receipt_jws'],
      payment_intent_id: settled['payment_intent_id'],
      dispute_status: 'pending',
      setup_intent_id: intent['setup_intent_id'],
      deliveries: 0,
      dpop_jwk: key.jwk,
      jwks: { keys: [key.jwk] },
      name: 'Tallow',
      enabled: true,
      merchant_id: 'tallow-books',
      merchant_audience: 'https://shop.example',
      agent_client_id: (await Agent.register(app, ruled.principalId)).clientId,
      allow_list_required: true,
      id: merchants.json.merchants[0]?.id,
      business_name: 'Tallow Books',
      country: 'IE',
      accepts_currency: ['EUR'],
      currency: 'EUR',
      list_id: '1',
      asset: 'swagger-ui.css',
      tenant_id: 'portal',
      from_seq: '1',
      page: '1',
      limit: '10',
      bump_id: 'none',
      order_id: 'none',
      from_iso: '2026-01-01T00:00:00Z',
      daily_cap_minor: 5_000,
      purpose: 'access_token',
      response_type: 'code',
    },
  }
}

async function register(more: Record<string, unknown>) {
  const answer = await exchange(`${app.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await registration(more)),
  })
  return answer.json
}

const registration = async (more: Record<string, unknown> = {}) => ({
  redirect_uris: [REDIRECT_URI],
  scope: ALL_SCOPES,
  software_statement: await newSetupToken(app, (await newPrincipal(app)).principalId),
  ...more,
})

/** What a request is made of before anything is done to it. */
interface Parts {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly accessToken: string
  readonly wallet: Caller
}

/** Where the name of a value does not say enough, or it may be used once. */
const special: Readonly<Record<string, (variant: number) => Promise<Partial<Parts>>>> = {
  pushAuthorizationRequest: async () => ({ body: (await world.agent.purchase()).form }),
  readPushedRequestStatus: async () => ({ params: { request_uri: await pushed() } }),
  authorize: async () => ({ query: { client_id: world.agent.clientId, request_uri: await pushed() } }),
  confirmMagicLink: async () => ({ query: { token: await mailedToken() } }),
  issueToken: async (variant) => ({ body: variant % 2 === 0 ? await codeGrant() : await refreshGrant() }),
  registerClient: async () => ({ body: await registration({ jwks: { keys: [world.key.jwk] } }) }),
  readClient: async () => ({
    headers: { authorization: `Bearer ${String(world.things['registration_access_token'])}` },
  }),
  createSetupToken: async () => ({ body: { principal_id: randomUUID(), scope: 'openid' } }),
  openSandboxWalletSession: async () => ({
    body: { principal_id: world.things['principal_id'], scope: 'wallet:read', dpop_jwk: world.key.jwk },
  }),
  createPrincipal: async () => ({ body: { wallet_client_id: world.wallet.clientId, display_name: 'Ada' } }),
  createSandboxPrincipal: async () => ({ body: { approval_rule: 'new_merchants' } }),
  createMerchant: async () => ({
    body: {
      merchant_audience: `https://${randomUUID()}.example`,
      business_name: 'Shop',
      country: 'IE',
      accepts_currency: ['EUR'],
    },
  }),
  rotateSigningKeys: async () => ({ body: { purpose: 'receipt' } }),
  setSwitch: async () => ({ params: { name: 'federation' } }),
  settle: async () => {
    const tokens = await world.agent.buy()
    return { accessToken: tokens.access_token, body: { mandate: tokens.mandate_jwt, idempotency_key: randomUUID() } }
  },
  readAgent: async () => ({ params: { client_id: world.spare.clientId } }),
  revokeAgent: async () => ({ params: { client_id: (await Agent.register(app, world.person.principalId)).clientId } }),
  readAuditRange: async () => {
    // A new one each time, since the quota is small.
    const wallet = await newWalletClient(app)
    return { wallet, params: { tenant_id: wallet.clientId }, query: { client_id: wallet.clientId } }
  },
  receiveProcessorWebhook: async () => ({
    body: { id: `evt_${randomUUID()}`, type: 'payment_intent.succeeded', data: { object: { id: 'pi_x', amount: 1 } } },
  }),
  receiveRcsCallback: async () => ({ body: { bump_id: 'none', action: 'approve', token: 'none' } }),
}

const pushed = async () => (await world.agent.push((await world.agent.purchase()).form)).json.request_uri

async function mailedToken() {
  const { json } = await world.gated.push((await world.gated.purchase()).form)
  await world.gated.authorize(json.request_uri)
  const outbox = `${app.baseUrl}/sandbox/outbox`
  const sent = await exchange<{ messages: { links: string[] }[] }>(outbox, { headers: { accept: 'application/json' } })
  const links = sent.json.messages.flatMap((message) => message.links)
  return new URL(links.find((link) => link.includes('/magic-link?')) ?? '').searchParams.get('token')
}

async function codeGrant() {
  const { code, verifier } = await world.agent.code()
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
}

async function refreshGrant() {
  return { grant_type: 'refresh_token', refresh_token: (await world.agent.buy()).refresh_token }
}

const namesOf = (schema: z.ZodType | undefined): string[] =>
  schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : []

const schemaOfBody = ({ body }: EndpointShape) => (body !== undefined && 'schema' in body ? body.schema : undefined)

async function partsOf(endpoint: EndpointShape, variant: number): Promise<Parts> {
  const known = (schema: z.ZodType | undefined) =>
    Object.fromEntries(namesOf(schema).flatMap((name) => (name in world.things ? [[name, world.things[name]]] : [])))
  return {
    params: known(endpoint.params),
    query: {},
    body: known(schemaOfBody(endpoint)),
    headers: {},
    accessToken: world.person.token,
    wallet: world.wallet,
    ...(await special[endpoint.operationId]?.(variant)),
  }
}

const jwt = (header: unknown, payload: unknown, signature = 'AAAA') =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + `.${signature}`

const texts: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' ',
  nul: 'a\u0000b',
  'line ends': 'a\r\nSet-Cookie: b=c\t',
  quotes: `"'\\;--/*\``,
  format: '%s%n${1}{{x}}$1',
  wildcard: '%_*?',
  proto: '__proto__',
  'a constructor': 'constructor',
  'a method': 'toString',
  'right to left': '\u202eabc\u2066',
  'beyond the BMP': '\u{1f4b3}\u{10ffff}',
  'byte order mark': '\ufeffx',
  infinite: '1e999',
  negative: '-1',
  'unsafe integer': '9007199254740993',
  'integer beyond 64 bits': '99999999999999999999',
  null: 'null',
  list: '[]',
  'broken URL': 'https://[::1',
  'script URL': 'javascript:alert(1)',
  traversal: '../../../etc/passwd',
  date: '+275760-09-13T00:00:00.001Z',
  'year 0': '0000-00-00T00:00:00Z',
  long: 'x'.repeat(60_000),
  huge: 'x'.repeat(200_000),
  'two segments': 'a.b',
  'three segments': 'a.b.c',
  'four segments': 'a.b.c.d',
  'five segments': 'a.b.c.d.e',
  dots: '.'.repeat(3_000),
  tildes: '~'.repeat(3_000),
  'alg none': jwt({ alg: 'none', typ: 'JWT' }, { sub: 'x', iss: 'x' }, ''),
  'alg missing': jwt({}, {}),
  'kid proto': jwt({ alg: 'EdDSA', typ: 'at+jwt', kid: '__proto__' }, { sub: 'x' }),
  'header a list': jwt([], null),
  'unknown crit': jwt({ alg: 'EdDSA', crit: ['x'], x: 1 }, { sub: 'x' }),
  'foreign key': jwt({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA' } }, { jti: 'x' }),
  'times as text': jwt({ alg: 'EdDSA' }, { sub: 'x', iss: 'x', iat: '1', exp: {}, nbf: [] }),
  'huge token': jwt({ alg: 'EdDSA' }, { sub: 'x'.repeat(6_000) }),
  'selective disclosure': `${jwt({ alg: 'EdDSA', typ: 'dc+sd-jwt' }, { _sd: [1, null, 'x'], _sd_alg: 'md5' })}~WyJhIl0~${'e30~'.repeat(70)}`,
}

/** Percent-encoded text as it stands in a target or form, right or wrong. */
const wires: Readonly<Record<string, string>> = {
  'encoded NUL': '%00',
  'NUL inside': 'a%00b',
  'invalid UTF-8': '%ff%fe',
  'cut UTF-8': '%E0%A4%A',
  'overlong UTF-8': '%c0%af',
  'lone surrogate': '%ED%A0%80',
  'bare percent': '%',
  'no hex': '%zz',
  'encoded slash': '%2F..%2F',
  'encoded twice': '%252F%2500',
  'encoded dots': '%2e%2e',
  dots: '..',
  plus: '+',
  'long path': 'y'.repeat(6_000),
}

/** JSON as text, so that it may also be none. */
const jsons: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  false: 'false',
  zero: '0',
  'minus zero': '-0',
  half: '0.5',
  negative: '-1',
  infinite: '1e400',
  tiny: '1e-400',
  'unsafe integer': '9007199254740993',
  'beyond 64 bits': '1e30',
  list: '[]',
  object: '{}',
  'list of lists': '[[[]]]',
  'list of texts': '["x","x"]',
  'list of nothing': '[null,{},0]',
  'long list': `[${'1,'.repeat(9_000)}1]`,
  'proto object': '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}',
  'shadowed methods': '{"toString":1,"hasOwnProperty":1,"toJSON":1,"then":1}',
  NUL: '"a\\u0000b"',
  'NUL in a name': '{"a\\u0000":1}',
  'lone surrogate': '"\\ud800"',
  'surrogates in wrong order': '"\\udc00\\ud800"',
  'deep list': '['.repeat(28) + ']'.repeat(28),
  'very deep list': '['.repeat(5_000) + ']'.repeat(5_000),
  'very deep object': '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000),
  'not a number': 'NaN',
  'no JSON': "'x'",
  nothing: '',
  'a member that repeats itself': '1,"a":1,"a":2',
}

const bodies: Readonly<Record<string, Buffer>> = {
  empty: Buffer.from(''),
  'open brace': Buffer.from('{'),
  'a list': Buffer.from('[]'),
  'a text': Buffer.from('"x"'),
  null: Buffer.from('null'),
  'byte order mark': Buffer.from('\ufeff{}'),
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'gzip magic': Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00]),
  zeros: Buffer.alloc(1_000),
  'form of separators': Buffer.from('&&==&=&'),
  'form of bad escapes': Buffer.from('client_id=%&token=%zz'),
  'form of raw bytes': Buffer.from([0x61, 0x3d, 0xff, 0x26, 0x00, 0x3d, 0x62]),
  'many parameters': Buffer.from('a=1&'.repeat(2_000)),
  deep: Buffer.from('{"a":'.repeat(20_000)),
  huge: Buffer.alloc(300_000, 'x'),
}

const headers: Readonly<Record<string, string>> = {
  empty: '',
  blank: '   ',
  tab: 'a\tb',
  'bytes beyond ASCII': '\x80\xff\xc3\x28',
  long: 'x'.repeat(1_000),
  commas: ','.repeat(1_000),
  quote: '"',
  proto: '__proto__',
  Basic: 'Basic Og==',
  'scheme alone': 'DPoP',
  'scheme and blank': 'DPoP ',
  'three parts': 'Bearer a b',
  'DPoP garbage': `DPoP ${texts['kid proto']}`,
  'Bearer garbage': `Bearer ${texts['alg none']}`,
  'PrivateKeyJwt garbage': `PrivateKeyJwt ${texts['times as text']}`,
  'proof of nothing': texts['foreign key'] ?? '',
  'signature of nothing': 't=,v1=,t=1,v1=zz',
  'any tag': '*, W/"x", "',
  quality: 'text/html;q=1e9, */*;q=-1',
  'form type': 'application/x-www-form-urlencoded',
  'JSON in UTF-16': 'application/json; charset=utf-16',
  'multipart without boundary': 'multipart/form-data; boundary=',
  'type with parameters': 'application/json;;;charset="',
  'other JSON': 'application/ld+json',
}

const tables = { texts, wires, jsons, headers, bodies } as const
type TableName = keyof typeof tables

/** Something hostile by its place in a table, which keeps what a failure prints short, or made up. */
type Value = { readonly table: TableName; readonly named: string } | { readonly made: string }

const from = (table: TableName) =>
  fc.constantFrom(...Object.keys(tables[table])).map((named): Value => ({ table, named }))
const madeText = fc.string({ unit: 'binary', maxLength: 40 }).map((made): Value => ({ made }))
const madeJson = fc.jsonValue({ maxDepth: 3 }).map((value): Value => ({ made: JSON.stringify(value) }))
const madeHeader = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? '~' : String.fromCodePoint(code))),
  })
  .map((made): Value => ({ made }))

interface Mutation {
  readonly place: 'path' | 'query' | 'header' | 'member' | 'body'
  readonly name: string
  readonly value: Value
  readonly twice: boolean
}

interface Plan {
  readonly caller: 'good' | 'nobody' | 'impostor'
  readonly variant: number
  readonly mutations: readonly Mutation[]
}

function mutationsOf(endpoint: EndpointShape): fc.Arbitrary<Mutation> {
  const { body } = endpoint
  const members = [...namesOf(schemaOfBody(endpoint)), ...ODD_NAMES, ...CLIENT_PARAMETERS]
  const webhook = body?.kind === 'raw' ? ['id', 'type', 'data', 'object', 'bump_id', 'action', 'token'] : []
  const headerNames = ['accept', 'content-type', 'authorization', 'dpop', 'idempotency-key', 'if-none-match']
  const wire = fc.oneof(from('texts'), from('wires'), madeText)
  const bodyPlaces =
    body === undefined
      ? []
      : [
          at('body', ['all'], { weight: 1, values: from('bodies') }),
          at('member', [...members, ...webhook], {
            weight: 5,
            values: fc.oneof(from('texts'), ...othersIn(body.kind)),
          }),
        ]
  return fc.oneof(
    at('path', namesOf(endpoint.params), { weight: 4, values: wire }),
    at('query', [...namesOf(endpoint.query), ...ODD_NAMES], {
      weight: endpoint.query === undefined ? 1 : 5,
      values: wire,
    }),
    at('header', [...headerNames, ...(endpoint.headers ?? [])], {
      weight: 2,
      values: fc.oneof(from('headers'), madeHeader),
    }),
    ...bodyPlaces,
  )
}

function at(
  place: Mutation['place'],
  names: readonly string[],
  { weight, values }: { weight: number; values: fc.Arbitrary<Value> },
): fc.WeightedArbitrary<Mutation> {
  // A place without names is never drawn.
  const name = fc.constantFrom(...(names.length === 0 ? ['none'] : names))
  const arbitrary = fc.record({ place: fc.constant(place), name, value: values, twice: fc.boolean() })
  return { weight: names.length === 0 ? 0 : weight, arbitrary }
}

function othersIn(kind: 'json' | 'form' | 'raw'): fc.Arbitrary<Value>[] {
  return kind === 'form' ? [from('wires'), madeText] : [from('jsons'), madeJson, madeText]
}

const planOf = (endpoint: EndpointShape): fc.Arbitrary<Plan> =>
  fc.record({
    // Most come from somebody who may, since only then does the verb get to see them.
    caller: fc.constantFrom('good', 'good', 'good', 'good', 'nobody', 'impostor'),
    variant: fc.nat(1),
    mutations: fc.array(mutationsOf(endpoint), { minLength: 1, maxLength: 2 }),
  })

/** One request as it goes over the wire. */
interface Draft {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

/** Percent-encoded, lone surrogates included; what the table of wires holds is so already. */
function wireOf(value: Value): string {
  if ('table' in value && value.table === 'wires') return wires[value.named] ?? ''
  const text = 'made' in value ? value.made : (texts[value.named] ?? '')
  const encode = (character: string) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')
  return [...text].map(encode).join('')
}

function jsonOf(value: Value): string {
  if ('table' in value) return value.table === 'jsons' ? (jsons[value.named] ?? '') : JSON.stringify(texts[value.named])
  try {
    JSON.parse(value.made)
    return value.made
  } catch {
    return JSON.stringify(value.made)
  }
}

const headerOf = (value: Value) => ('made' in value ? value.made : (headers[value.named] ?? ''))

type Pair = readonly [name: string, wire: string]

/** Replaces the pairs of each mutated name, or adds them. */
function mutate(pairs: readonly Pair[], mutations: readonly Mutation[], wire: (value: Value) => string): Pair[] {
  return mutations.reduce<Pair[]>(
    (all, { name, value, twice }) => {
      const pair: Pair = [name, wire(value)]
      return [...all.filter(([other]) => other !== name), pair, ...(twice ? [pair] : [])]
    },
    [...pairs],
  )
}

async function draftOf(endpoint: EndpointShape, plan: Plan): Promise<Draft> {
  const parts = await partsOf(endpoint, plan.variant)
  const done = (place: Mutation['place']) => plan.mutations.filter((mutation) => mutation.place === place)
  const path = pathOf(endpoint, parts, done('path'))
  const query = mutate(formPairs(parts.query), done('query'), wireOf)
    .map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
    .join('&')
  const credentials = await credentialsOf(endpoint, parts, { caller: plan.caller, path })
  const body = bodyOf(endpoint, { ...parts.body, ...credentials.members }, plan)
  const signature = endpoint.body?.kind === 'raw' && body !== null ? webhookSignature(endpoint, body) : {}
  const given = Object.entries({ ...typeOf(endpoint), ...signature, ...credentials.headers, ...parts.headers })
  return {
    method: endpoint.method,
    target: (query === '' ? path : `${path}?${query}`).slice(0, TARGET_MAX_CHARS),
    headers: mutate(given, done('header'), headerOf),
    body,
  }
}

function pathOf(endpoint: EndpointShape, { params }: Parts, mutations: readonly Mutation[]): string {
  const values = new Map(mutate(formPairs(params), mutations, wireOf))
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? 'none')
}

/** Members as form pairs; a list repeats its name. */
const formPairs = (members: Readonly<Record<string, unknown>>): Pair[] =>
  Object.entries(members).flatMap(([name, value]) =>
    [value].flat().map((one): Pair => [name, encodeURIComponent(typeof one === 'string' ? one : JSON.stringify(one))]),
  )

function bodyOf(endpoint: EndpointShape, members: Readonly<Record<string, unknown>>, plan: Plan): Buffer | null {
  if (endpoint.body === undefined) return null
  const whole = plan.mutations.find(({ place }) => place === 'body')
  if (whole !== undefined) return bodies['table' in whole.value ? whole.value.named : ''] ?? null
  const mutations = plan.mutations.filter(({ place }) => place === 'member')
  if (endpoint.body.kind === 'form') {
    const pairs = mutate(formPairs(members), mutations, wireOf)
    return Buffer.from(pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&'))
  }
  const pairs = mutate(
    Object.entries(members).map(([name, value]): Pair => [name, JSON.stringify(value)]),
    mutations,
    jsonOf,
  )
  return Buffer.from(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)
}

function typeOf({ body }: EndpointShape): Record<string, string> {
  if (body === undefined) return {}
  return { 'content-type': body.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' }
}

function webhookSignature({ headers: read = [] }: EndpointShape, body: Buffer): Record<string, string> {
  const { processorWebhook, rcsCallback } = app.platform.config.secrets
  const [header, secret] = read.includes('rcs-signature')
    ? ['rcs-signature', rcsCallback]
    : ['processor-signature', processorWebhook]
  const time = Math.floor(app.clock.now().getTime() / 1000)
  const mac = createHmac('sha256', secret).update(`${time}.`).update(body)
  return { [header]: `t=${time},v1=${mac.digest('hex')}` }
}

interface Credentials {
  readonly headers: Record<string, string>
  readonly members: Record<string, string>
}

/** What lets this caller in, where the contract asks for it. */
async function credentialsOf(
  endpoint: EndpointShape,
  parts: Parts,
  { caller, path }: { caller: Plan['caller']; path: string },
): Promise<Credentials> {
  const { access } = endpoint
  if (caller === 'nobody' || access.actor === 'anonymous') return { headers: {}, members: {} }
  const isGood = caller === 'good'
  const proofBy = async (key: Key, more: { nonce?: string; accessToken?: string }) =>
    dpopProof(app, isGood ? key : world.key, {
      method: endpoint.method,
      url: app.baseUrl,
      claims: { htu: app.baseUrl + path },
      ...more,
    })
  switch (access.actor) {
    case 'operator':
      return { headers: { authorization: `Bearer ${isGood ? app.operatorToken : 'x'.repeat(43)}` }, members: {} }
    case 'wallet':
    case 'agent': {
      const key = access.actor === 'wallet' ? world.person.key : world.agent.dpopKey
      const { accessToken } = parts
      return {
        headers: { authorization: `DPoP ${accessToken}`, dpop: await proofBy(key, { accessToken }) },
        members: {},
      }
    }
    case 'client': {
      const client = access.kind === 'wallet' ? parts.wallet : world.agent
      const assertion = await clientAssertion(app, isGood ? client : { ...client, key: world.key })
      const nonce = await world.agent.freshNonce()
      const dpop = access.dpop === 'mint' ? { dpop: await proofBy(world.agent.dpopKey, { nonce }) } : {}
      return clientCredentials(access.credentials, { clientId: client.clientId, assertion, dpop })
    }
  }
}

function clientCredentials(
  where: 'body' | 'headers' | 'authorization',
  { clientId, assertion, dpop }: { clientId: string; assertion: string; dpop: Record<string, string> },
): Credentials {
  if (where === 'authorization')
    return { headers: { ...dpop, authorization: `PrivateKeyJwt ${assertion}` }, members: {} }
  if (where === 'headers') {
    return { headers: { ...dpop, 'x-client-id': clientId, 'x-client-assertion': assertion }, members: {} }
  }
  return {
    headers: dpop,
    members: { client_id: clientId, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion },
  }
}

interface Reply {
  readonly status: number
  readonly isOurs: boolean
  readonly type: string
  readonly retryAfter: string
  readonly text: string
}

/** Sends exactly this; fetch would tidy up target and headers. */
async function send({ method, target, headers: given, body }: Draft): Promise<Reply> {
  const { hostname, port, host } = new URL(app.baseUrl)
  const length: Pair[] = body === null ? [] : [['content-length', String(body.length)]]
  const raw = [['host', host], ['connection', 'close'], ...length, ...given].flat()
  return new Promise((resolve, reject) => {
    const request = openRequest(
      { hostname, port, method, path: target, headers: raw as never, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            isOurs: response.headers['x-request-id'] !== undefined,
            type: response.headers['content-type'] ?? '',
            retryAfter: response.headers['retry-after'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

/** The refusals of 500 and above that a contract announces. */
function announced({ refusals = [], switch: gate, operationId }: EndpointShape): Set<number> {
  const statuses = refusals.map((code) => statusOfCode[code]).filter((status) => status >= 500)
  // Historical status lists (`time`) are answered with 501, as the Token Status List draft says.
  const historical = operationId.startsWith('readStatusList') ? [501] : []
  return new Set([...statuses, ...historical, ...(gate === undefined ? [] : [503])])
}

function complaint(endpoint: EndpointShape, reply: Reply): string | null {
  if (reply.status >= 500 && !announced(endpoint).has(reply.status)) return 'an answer of 500 or above'
  if (reply.status < 400) return null
  // Not the service's answers, and not to be had in this process: a changed path may name nothing of the API, which the
  // direct lane leaves to Next, and server.mjs words what Node's parser refuses (16 KiB of target and headers).
  if (!reply.isOurs && [404, 431].includes(reply.status)) return null
  return isEnvelope(reply) ? null : 'a refusal without the JSON envelope'
}

function isEnvelope({ type, text }: Reply): boolean {
  if (type !== 'application/json') return false
  const { error, error_description: description, detail } = JSON.parse(text) as Record<string, unknown>
  return (typeof error === 'string' && typeof description === 'string') || Array.isArray(detail)
}

const clip = (text: string) => (text.length > 1_500 ? `${text.slice(0, 1_500)}… (${text.length} characters)` : text)

/** The request in the form in which it can be sent again. */
function describeRequest({ method, target, headers: given, body }: Draft): string {
  const lines = [
    `${method} ${clip(target)}`,
    ...given.map(([name, value]) => `${name}: ${clip(JSON.stringify(value))}`),
  ]
  return [...lines, '', body === null ? '' : clip(JSON.stringify(body.toString('latin1')))].join('\n')
}

async function tryOut(endpoint: EndpointShape, plan: Plan): Promise<Reply> {
  const draft = await draftOf(endpoint, plan)
  const reply = await send(draft).catch((error: unknown) => {
    throw new Error(`the connection broke on\n${describeRequest(draft)}`, { cause: error })
  })
  const wrong = complaint(endpoint, reply)
  if (wrong !== null) {
    throw new Error(`${wrong}: ${reply.status} ${clip(reply.text)}\non\n${describeRequest(draft)}`)
  }
  return reply
}

const endpoints = operations.map(({ endpoint }) => [endpoint.operationId, endpoint] as const)

describe('requests to which nothing has been done', () => {
  /** Answers that say that caller or form were not right: the hostile variants of such a request would reach nothing. */
  const turnedAway = [400, 401, 403, 405, 413, 415, 429]
  test.each(endpoints)('%s gets past the door', async (_name, endpoint) => {
    for (const variant of [0, 1]) {
      const reply = await tryOut(endpoint, { caller: 'good', variant, mutations: [] })
      expect(turnedAway, reply.text).not.toContain(reply.status)
    }
  })
})

describe(`H11, H15 hostile requests (seed ${SEED})`, () => {
  test.each(endpoints)('%s answers below 500 and in the envelope', async (_name, endpoint) => {
    const property = fc.asyncProperty(planOf(endpoint), async (plan) => {
      await tryOut(endpoint, plan)
    })
    await fc.assert(property, { seed: SEED, numRuns: RUNS_PER_OPERATION })
  })
})

/** Values that a contract lets through to where they could do harm: nested, stored as JSON, or looked up by name. */
const aimed: readonly (readonly [operationId: string, name: string, json: string])[] = [
  ...['"\\u0000"', '"\\ud800"', '1e400', '{"__proto__":1}', `"${'x'.repeat(3_000)}"`].flatMap(
    (value) =>
      [
        ['pushAuthorizationRequest', 'authorization_details', details(value)],
        ['placeSandboxOrder', 'line_items', `[{"sku":${value},"qty":1}]`],
        ['verifyMandate', 'line_items', `[{"sku":"a","qty":${value}}]`],
        ['registerClient', 'client_name', value],
        ['registerClient', 'jwks', `{"keys":[{"kty":"OKP","crv":"Ed25519","x":${value}}]}`],
        ['registerClient', 'jwks', `{"keys":[{"kty":${value}}]}`],
        ['createMerchant', 'accepts_currency', `[${value}]`],
        ['createSandboxPrincipal', 'limits', `{"daily_cap_minor":${value},"currency":"EUR"}`],
        ['openSandboxWalletSession', 'dpop_jwk', `{"kty":"EC","crv":"P-256","x":${value},"y":${value}}`],
        ['receiveProcessorWebhook', 'data', `{"object":{"id":${value},"metadata":${value}}}`],
        ['receiveRcsCallback', 'bump_id', value],
        ['receiveRcsCallback', 'token', value],
        ['saveNotifications', 'rcs_phone_e164', value],
      ] as const,
  ),
  ...['__proto__', 'constructor', 'toString'].flatMap(
    (name) =>
      [
        ['receiveProcessorWebhook', 'type', `"${name}"`],
        ['pushAuthorizationRequest', 'authorization_details', `[{"type":"${name}"}]`],
        ['pushAuthorizationRequest', 'consent_mode_hint', name],
        ['createSandboxPrincipal', 'card', `"${name}"`],
        ['createMerchant', 'accepts_currency', `["${name}"]`],
        ['registerClient', 'jwks', `{"keys":[{"kty":"${name}","crv":"${name}"}]}`],
        ['registerClient', 'scope', `"${name}"`],
      ] as const,
  ),
]

function details(value: string): string {
  const item = `{"sku":"a","qty":1,"title":${value}}`
  return `[{"type":"oid4ac_mandate","merchant":"https://shop.example","amount_minor":1,"currency":"EUR","line_items":[${item}]}]`
}

describe('H11, H15 requests that look right until the last member', () => {
  test.each(aimed.map(([operationId, name, json]) => [operationId, name, clip(json), json] as const))(
    '%s with the %s %s',
    async (operationId, name, _short, json) => {
      const endpoint = operations.find((one) => one.endpoint.operationId === operationId)?.endpoint
      if (endpoint === undefined) throw new Error(`no operation ${operationId}`)
      const mutation: Mutation = { place: 'member', name, value: { made: json }, twice: false }
      expect((await tryOut(endpoint, { caller: 'good', variant: 0, mutations: [mutation] })).status).toBeLessThan(500)
    },
  )
})

describe('H18 failures of our own', () => {
  test('an error that nobody foresaw is 500 without a word of what happened, and nothing is half done', async () => {
    const { agent } = world
    const { db } = app.platform
    const { code, verifier } = await agent.code()
    const grant = { client_assertion: await agent.assertion() }
    const countMandates = async () => (await db.query<{ n: number }>('SELECT count(*)::int AS n FROM mandates'))[0]?.n
    const before = await countMandates()
    await db.query('ALTER TABLE refresh_tokens RENAME TO refresh_tokens_away')
    const failed = await agent.redeem(code, verifier, grant)
    await db.query('ALTER TABLE refresh_tokens_away RENAME TO refresh_tokens')
    expect([failed.status, failed.headers.get('cache-control')]).toEqual([500, 'no-store'])
    expect(failed.json).toMatchObject({ error: 'server_error' })
    expect(failed.text).not.toMatch(/refresh_tokens|relation|SELECT|INSERT|\.ts\b|node_modules/)
    expect(await countMandates()).toBe(before)
    const again = await agent.redeem(code, verifier, grant)
    expect(again.status, again.text).toBe(200)
  })

  test('without its database every operation does without, or says 503 and when to come back', async () => {
    const ready = await Promise.all(
      endpoints.map(async ([name, endpoint]) => {
        const draft = await draftOf(endpoint, { caller: 'good', variant: 0, mutations: [] })
        return { name, actor: endpoint.access.actor, draft }
      }),
    )
    // The last test of this file, since nothing can be asked of this service afterwards.
    await app.platform.db.close()
    const answers = await Promise.all(ready.map(async ({ draft, ...one }) => ({ ...one, reply: await send(draft) })))
    const down = answers.filter(({ reply }) => reply.status === 503)
    const others = answers.filter(({ reply }) => reply.status !== 503)
    expect(others.filter(({ actor, reply }) => actor !== 'anonymous' || reply.status >= 500)).toEqual([])
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(['readLiveness', 'readJwks']))
    // Readiness says in its own words what is missing.
    for (const { name, reply } of down.filter((one) => one.name !== 'readReadiness')) {
      expect(reply.retryAfter, name).toMatch(/^[1-9]\d*$/)
      expect(isEnvelope(reply), name).toBe(true)
    }
  })
})

import { randomBytes, randomUUID } from 'node:crypto'
import type * as z from 'zod'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import { sql } from '@/server/base/core/sql'
import { AGES, newCredential, newOffer, Wallet } from '../credentials/issuance-wallet'
import { presentMandate } from '../security/red-team/scene'
import {
  Agent,
  ALL_SCOPES,
  exchange,
  type Key,
  must,
  newKey,
  newPrincipal,
  newSetupToken,
  newWalletClient,
  operate,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { newRelyingParty } from '../support/certificates'

export let app: App
export let world: World

const secret = () => randomBytes(32).toString('hex')

/** Starts the service and fills it with what good requests need. */
export async function openWorld(): Promise<void> {
  // With tokens of its own, so that no endpoint for servers takes anybody.
  app = await startApp({ env: { SWITCH_FEDERATION: 'true', OPERATOR_TOKEN: secret(), METRICS_TOKEN: secret() } })
  world = await buildWorld()
}

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
  const audited = await person.call<{ entries: { seq: number }[] }>('GET', '/wallet/audit-chain')
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
      verdict: 'deny',
      only_listed: false,
      id: merchants.json.merchants[0]?.id,
      business_name: 'Tallow Books',
      country: 'IE',
      accepts_currency: ['EUR'],
      currency: 'EUR',
      list_id: '1',
      asset: 'swagger-ui.css',
      tenant_id: 'portal',
      from_seq: '1',
      seq: String(audited.json.entries[0]?.seq),
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
export interface Parts {
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
  saveMerchantRule: async () => ({ body: { agent_client_id: world.spare.clientId } }),
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
  createPresentationRequest: async () => ({ body: { dcql_query: hostileQuery, transaction_data: {} } }),
  serveRequestObject: async () => ({
    params: { request_id: (await presentationRequest()).id },
    body: { wallet_nonce: 'nonce', wallet_metadata: { vp_formats_supported: { 'dc+sd-jwt': {} } } },
  }),
  takeWalletResponse: async (variant) => {
    const { id, state } = await presentationRequest()
    const body = variant % 2 === 0 ? { error: 'access_denied' } : { error: 'invalid_request', error_description: 'x' }
    return { params: { request_id: id }, body: { ...body, state } }
  },
  readPresentationResult: async () => ({ params: { request_id: (await presentationRequest()).id } }),
  verifyPresentation: async () => {
    await operate(app, 'PUT', '/trust-lists/EU', { issuers: [] })
    const { mandate_jwt: mandate } = await world.agent.buy()
    // A credential of ours, which every region trusts.
    const bound = await presentMandate(world.agent, mandate, { audience: app.baseUrl, nonce: 'nonce' })
    const vp_token = { pid: [bound] }
    return { body: { vp_token, presentation_submission: null, region: 'EU', expected_nonce: 'nonce' } }
  },
  saveRelyingParty: async () => ({ body: await newRelyingParty() }),
  setSwitch: async () => ({ params: { name: 'federation' }, body: { enabled: true } }),
  createSubordinate: async () => ({ body: subordinate(`https://${randomUUID()}.example`) }),
  readTrustMarkStatus: async () => ({ body: { trust_mark: await trustMark() } }),
  updateSubordinate: async () => ({ params: { entity_id: await enrolled() }, body: { jwks: federationKeys() } }),
  saveTrustList: async () => ({
    params: { region: 'EU' },
    body: { issuers: [{ issuer: 'https://issuer.example', algs: ['EdDSA'], jwks: { keys: [(await newKey()).jwk] } }] },
  }),
  deleteTrustList: async () => ({ params: { region: 'EU' } }),
  settle: async () => {
    const tokens = await world.agent.buy()
    return { accessToken: tokens.access_token, body: { mandate: tokens.mandate_jwt, idempotency_key: randomUUID() } }
  },
  createCredentialOffer: async (variant) => ({
    body:
      variant % 2 === 0
        ? AGES
        : {
            credential_configuration_id: 'service_mandate',
            subject: {
              principal_id: (await newPrincipal(app, { wallet_client_id: world.wallet.clientId })).principalId,
            },
          },
  }),
  readCredentialOffer: async () => {
    const { credential_offer_uri: uri } = await newOffer(app)
    return { params: { offer_id: uri.split('/').at(-1) } }
  },
  issueCredential: async (variant) => ({ body: await credentialRequest(variant) }),
  revokeCredential: async () => ({ params: { credential_id: await newCredential(app) } }),
  readAgent: async () => ({ params: { client_id: world.spare.clientId } }),
  revokeAgent: async () => ({ params: { client_id: (await Agent.register(app, world.person.principalId)).clientId } }),
  readAuditRange: () => ownChain({}),
  readAuditCheckpoint: () => ownChain({}),
  proveAuditEntry: () => ownChain({ seq: '1' }),
  proveAuditConsistency: () => ownChain({ from_size: '1', to_size: '1' }),
  receiveProcessorWebhook: async () => ({
    body: { id: `evt_${randomUUID()}`, type: 'payment_intent.succeeded', data: { object: { id: 'pi_x', amount: 1 } } },
  }),
  requestAccess: ownPerson,
  rectify: async () => ({ ...(await ownPerson()), body: { display_name: 'Ada' } }),
  erase: ownPerson,
  exportData: ownPerson,
  restrictProcessing: ownPerson,
  objectToMarketing: ownPerson,
  receiveRcsCallback: async () => ({ body: { bump_id: 'none', action: 'approve', token: 'none' } }),
}

const hostileQuery = {
  credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['x'] }, claims: [{ path: ['given_name'] }] }],
}

/** A request that a wallet may answer in clear, also after the certificate has been removed. */
async function presentationRequest(): Promise<{ id: string; state: string }> {
  await app.platform.db.query(sql`DELETE FROM relying_party WHERE x5c IS NULL`)
  const { json } = await exchange<{ request_uri: string; state: string }>(`${app.baseUrl}/eudiw/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${app.operatorToken}` },
    body: JSON.stringify({ dcql_query: hostileQuery, response_mode: 'direct_post' }),
  })
  return { id: json.request_uri.split('/').at(-1) ?? '', state: json.state }
}

const federationKeys = () => ({ keys: [{ ...world.key.jwk, kid: 'entity' }] })
const subordinate = (entityId: string) => ({
  entity_id: entityId,
  entity_types: ['openid_relying_party'],
  jwks: federationKeys(),
  trust_mark_ids: ['https://marks.example/good'],
})

/** An entity of the federation. */
async function enrolled(): Promise<string> {
  const body = subordinate(`https://${randomUUID()}.example`)
  must(await operate(app, 'POST', '/federation/subordinates', body), 201)
  return body.entity_id
}

async function trustMark(): Promise<string> {
  const query = new URLSearchParams({ sub: await enrolled(), trust_mark_id: 'https://marks.example/good' })
  return (await exchange(`${app.baseUrl}/federation/trust-mark?${query}`)).text
}

/** A right ends or changes a person, and each is used ten times a day at most: a new person, with the same key. */
async function ownPerson(): Promise<Partial<Parts>> {
  const { principalId } = await newPrincipal(app)
  const body = { principal_id: principalId, scope: 'privacy:dsar', dpop_jwk: world.person.key.jwk }
  const session = await operate(app, 'POST', '/sandbox/wallet-sessions', body)
  return { accessToken: session.json['access_token'] ?? '' }
}

/** The chain of a new tenant each time, since the quota is small. */
async function ownChain(query: Record<string, string>) {
  const wallet = await newWalletClient(app)
  return { wallet, params: { tenant_id: wallet.clientId }, query: { client_id: wallet.clientId, ...query } }
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

/** In the older form and in that of the standard. */
async function credentialRequest(variant: number) {
  const { code, c_nonce: nonce } = await newOffer(app)
  const jwt = await (await Wallet.open(app)).proof(nonce)
  const proof = variant % 2 === 0 ? { proof: { proof_type: 'jwt', jwt } } : { proofs: { jwt: [jwt] } }
  return { 'pre-authorized_code': code, ...proof }
}

async function refreshGrant() {
  return { grant_type: 'refresh_token', refresh_token: (await world.agent.buy()).refresh_token }
}

export const namesOf = (schema: z.ZodType | undefined): string[] =>
  schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : []

export const schemaOfBody = ({ body }: EndpointShape) =>
  body !== undefined && 'schema' in body ? body.schema : undefined

export async function partsOf(endpoint: EndpointShape, variant: number): Promise<Parts> {
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

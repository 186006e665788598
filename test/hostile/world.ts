import { randomUUID } from 'node:crypto'
import type * as z from 'zod'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import {
  Agent,
  ALL_SCOPES,
  exchange,
  type Key,
  newKey,
  newPrincipal,
  newSetupToken,
  newWalletClient,
  operate,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import { type App, startApp } from '../support/app'

export let app: App
export let world: World

/** Starts the service and fills it with what good requests need. */
export async function openWorld(): Promise<void> {
  app = await startApp()
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

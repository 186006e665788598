/** A sandbox over real HTTP and builders of mandates; no part of the product. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SignJWT } from 'jose'
import { type Answer, dpopProof, exchange, type Key, newKey } from '@/test/support/actors'
import { openTestDatabase } from '@/test/support/database'
import { operationsOf } from '../../base/contract/endpoint'
import type { LineItem } from '../../base/contract/wire'
import type { Platform } from '../../base/core/platform'
import type { PaymentIntentRequest, PaymentOutcome, Processor } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import { systemClock } from '../../base/platform/clock'
import { composePlatform } from '../../base/platform/compose'
import { sha256Base64url } from '../../base/protocol/encoding'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { discloseMandate, signMandate } from '../../oauth/mandates'
import { createLane, type Lane } from '../../transport/http'
import * as slice from './index'

/** A processor with a set outcome, which counts its charges. */
export interface ScriptedProcessor extends Processor {
  outcome: Exclude<PaymentOutcome, { status: 'succeeded' }> | { readonly status: 'succeeded' }
  charges: number
}

function scriptedProcessor(): ScriptedProcessor {
  const orders = new Map<string, PaymentIntentRequest>()
  const unused = (): never => {
    throw new Error('not used by these tests')
  }
  const outcomeOf = (id: string, outcome: ScriptedProcessor['outcome']): PaymentOutcome => {
    if (outcome.status !== 'succeeded') return outcome
    const { amountMinor, currency } = orders.get(id) ?? unused()
    return { ...outcome, amountMinor, currency }
  }
  return {
    kind: 'sandbox',
    publishableKey: null,
    outcome: { status: 'succeeded' },
    charges: 0,
    createCustomer: unused,
    createSetupIntent: unused,
    retrieveSetupIntent: unused,
    detachCard: unused,
    deleteCustomer: unused,
    async createPaymentIntent(order) {
      orders.set(`pi_${order.settlementId}`, order)
      return { id: `pi_${order.settlementId}` }
    },
    async confirmPaymentIntent(id) {
      if (this.outcome.status === 'succeeded') this.charges += 1
      return outcomeOf(id, this.outcome)
    },
    async retrievePaymentIntent(id) {
      const order = orders.get(id)
      if (order === undefined) return null
      const { settlementId } = order
      return { id, settlementId, outcome: outcomeOf(id, this.outcome), clientSecret: `${id}_secret` }
    },
    async findPaymentIntent({ settlementId }) {
      return this.retrievePaymentIntent(`pi_${settlementId}`)
    },
    async cancelPaymentIntent(id) {
      const outcome = outcomeOf(id, this.outcome)
      return outcome.status === 'succeeded' ? outcome : { status: 'failed', code: 'canceled' }
    },
    refundPayment: unused,
    retrieveDispute: unused,
  }
}

export interface Sandbox {
  readonly baseUrl: string
  readonly operatorToken: string
  readonly platform: Platform
  readonly processor: ScriptedProcessor
  readonly clock: { now(): Date; advance(seconds: number): void }
  readonly person: { readonly principalId: string; readonly clientId: string }
  get<T = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = Record<string, unknown>>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  close(): Promise<void>
}

export async function startSandbox(): Promise<Sandbox> {
  let lane: Lane | null = null
  const server = createServer((request, response) => {
    void lane?.handle(request, response).then((handled) => handled || response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const dataDir = await mkdtemp(path.join(tmpdir(), 'countersign-sandbox-'))
  let offset = 0
  const clock = {
    now: () => new Date(systemClock.now().getTime() + offset),
    advance: (seconds: number) => {
      offset += seconds * 1000
    },
  }
  const database = await openTestDatabase()
  const env = { PORT: String(port), DATA_DIR: dataDir, SANDBOX: 'true', LOG_LEVEL: 'silent' }
  const composed = await composePlatform(env, { clock, database })
  const processor = scriptedProcessor()
  const platform: Platform = { ...composed.platform, processor }
  await slice.seedSandboxMerchants(platform)
  lane = createLane({ operations: operationsOf(slice), platform, mode: 'direct' })
  const { baseUrl } = platform.config
  return {
    baseUrl,
    operatorToken: '',
    platform,
    processor,
    clock,
    person: await insertPerson(platform),
    get: (target, headers = {}) => exchange(baseUrl + target, { headers }),
    post: (target, body, headers = {}) =>
      exchange(baseUrl + target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await composed.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Inserts a person with a card, their operator and their agent. */
async function insertPerson({ db, clock, random }: Platform) {
  const [tenantId, principalId, clientId] = [random.uuid(), random.uuid(), random.uuid()]
  const now = clock.now()
  const insertClient = (id: string, kind: string, principal: string | null) =>
    db.query(
      sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
       VALUES (${id}, ${kind}, ${tenantId}, ${principal}, 'Test', '[]', '[]', '[]', '[]', '{}', ${now})`,
    )
  await insertClient(tenantId, 'wallet', null)
  await db.query(
    sql`INSERT INTO principals (id, tenant_id, email, created_at) VALUES (${principalId}, ${tenantId}, ${'ada@demo.test'}, ${now})`,
  )
  await insertClient(clientId, 'agent', principalId)
  await db.query(
    sql`INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                                exp_year, is_default, created_at)
     VALUES (${random.uuid()}, ${principalId}, ${random.uuid()}, 'cus_1', 'pm_1', 'visa', '4242', 12, 2040, true, ${now})`,
  )
  return { principalId, clientId, tenantId }
}

export interface MandateWish {
  readonly merchant?: string
  readonly amountMinor?: number
  readonly currency?: string
  readonly lineItems?: readonly LineItem[]
  readonly offerId?: string | undefined
  readonly offerDigest?: string | undefined
  readonly provenAge?: number
}

export interface HeldMandate {
  readonly id: string
  readonly jwt: string
  readonly audience: string
  readonly key: Key
}

let nextStatusIndex = 1

/** Issues a mandate as the token endpoint does, and returns it with its holder's key. */
export async function issueTestMandate(sandbox: Sandbox, wish: MandateWish = {}): Promise<HeldMandate> {
  const { platform, person } = sandbox
  const key = await newKey()
  const id = platform.random.uuid()
  const familyId = platform.random.uuid()
  const now = platform.clock.now()
  const audience = wish.merchant ?? `${sandbox.baseUrl}/sandbox/merchants/tallow-books`
  const amountMinor = wish.amountMinor ?? 1200
  const currency = wish.currency ?? 'EUR'
  const statusIndex = nextStatusIndex++
  const expiresAt = new Date(now.getTime() + platform.config.mandateTtlSeconds * 1000)
  await platform.db.query(
    sql`INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 auth_time, created_at, expires_at)
     SELECT ${familyId}, ${person.clientId}, ${person.principalId}, tenant_id, 'payment', ${key.jkt}, '[]', '[]', '[]', ${now}, ${now}, ${expiresAt} FROM principals WHERE id = ${person.principalId}`,
  )
  await platform.db.query(
    sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency,
                           offer_id, offer_digest, jkt, status_index, issued_at, expires_at)
     SELECT ${id}, ${familyId}, ${person.clientId}, ${person.principalId}, tenant_id, ${audience}, ${amountMinor}::bigint, ${currency}, ${wish.offerId ?? null}, ${wish.offerDigest ?? null}, ${key.jkt}, ${statusIndex}, ${now}, ${expiresAt} FROM principals WHERE id = ${person.principalId}`,
  )
  const jwt = signMandate(platform, {
    mandateId: id,
    clientId: person.clientId,
    audience,
    amountMinor,
    currency,
    disclosures: discloseMandate(platform, {
      principalId: person.principalId,
      audience,
      lineItems: wish.lineItems ?? [{ sku: 'book', qty: 1 }],
      provenAge: wish.provenAge ?? null,
    }),
    offerId: wish.offerId,
    offerDigest: wish.offerDigest,
    holderKey: parsePublicJwk(key.jwk),
    holderJkt: key.jkt,
    statusIndex,
    now,
  })
  return { id, jwt, audience, key }
}

/** Returns the mandate with a key binding; `claims` replaces members of it. */
export async function present(
  sandbox: Sandbox,
  mandate: HeldMandate,
  claims: { readonly nonce: string; readonly aud?: string },
): Promise<string> {
  const keyBinding = await new SignJWT({
    iat: Math.floor(sandbox.clock.now().getTime() / 1000),
    aud: mandate.audience,
    sd_hash: sha256Base64url(mandate.jwt),
    // Signatures are deterministic: two of one second would be the same presentation.
    jti: sandbox.platform.random.uuid(),
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'kb+jwt' })
    .sign(mandate.key.privateKey)
  return mandate.jwt + keyBinding
}

export async function fetchNonce(sandbox: Sandbox, base = '/merchant_test'): Promise<string> {
  return (await sandbox.get<{ nonce: string }>(`${base}/nonce`)).json.nonce
}

/** Returns the complete payment request of one purchase. */
export async function preparePayment(
  sandbox: Sandbox,
  mandate: HeldMandate,
  { nonce, key = mandate.key }: { nonce: string; key?: Key },
) {
  const url = `${mandate.audience}/payments`
  return {
    presentation: await present(sandbox, mandate, { nonce }),
    headers: { dpop: await dpopProof(sandbox, key, { method: 'POST', url, nonce }) },
  }
}

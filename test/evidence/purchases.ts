import { randomUUID } from 'node:crypto'
import { CompactSign } from 'jose'
import { expect, vi } from 'vitest'
import type { WalletCall } from '@/server/base/core/call'
import { sql } from '@/server/base/core/sql'
import { signWebhook } from '@/server/base/platform/processor/webhook-signature'
import { sha256Base64url } from '@/server/base/protocol/encoding'
import { jobHandlers } from '@/server/jobs'
import { receiveProcessorWebhook } from '@/server/money/webhooks'
import { recordAudits } from '@/server/shared/audit'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import { runDueJobs } from '@/server/shared/queue'
import type { EvidencePack } from '@/server/surfaces/evidence/contract'
import { openWalletRequest } from '@/server/surfaces/portal'
import { decideConsent } from '@/server/wallet/approvals'
import { approvalSubject, displayOf } from '@/server/wallet/approvals/display'
import { addWallet, configureRegion, present } from '../credentials/approval-world'
import { fetchRequest } from '../credentials/wallet'
import { Agent, type Answer, exchange, must, newPrincipal, operate, Person, type TokenAnswer } from '../support/actors'
import type { App } from '../support/app'
import { addPasskey } from '../support/passkey-holder'

const ITEMS = [{ sku: 'book', title: 'The Tallow Trade', qty: 1, unit_price_minor: 1_200 }]

/** How the person comes to allow a purchase. */
export type Way = 'passkey' | 'wallet' | 'magic_link' | 'token' | 'gate' | 'rule' | 'over_limit'

export interface Bought {
  readonly person: Person
  readonly paymentIntentId: string
  readonly pack: EvidencePack
}

/** What agent and wallet app sign and how they write it, and what came before the charge. */
interface Terms {
  /** So often the charge has failed before. */
  readonly failures?: number
  readonly withKeyBinding?: boolean
  readonly binding?: Binding
  readonly wallet?: Binding
}

/** Buys a book for a new person, and reads the evidence over HTTP. */
export async function buyBook(
  app: App,
  way: Way,
  { withKeyBinding = false, binding, wallet, failures = 0 }: Terms = {},
): Promise<Bought> {
  const rule = ['rule', 'gate', 'over_limit'].includes(way) ? 'above_limits' : 'every_purchase'
  const terms = { approval_rule: rule, magic_link_gate: way === 'gate' } as const
  const { principalId, email } = await newPrincipal(app, terms)
  const agent = await Agent.register(app, principalId)
  const person = await Person.signIn(app, principalId)
  const { form, verifier, merchant } = await agent.purchase({ line_items: ITEMS })
  const { request_uri: requestUri } = must(await agent.push(form), 201)
  const [waiting] = await person.pending()
  if (waiting !== undefined)
    await approve(app, { person, way, merchant, id: String(waiting['authorization_id']), wallet })
  const { result } = await agent.authorize(requestUri)
  const code = way === 'gate' ? await followLink(app, email) : result['code']
  const tokens = must(await agent.redeem(code ?? '', verifier), 200)
  const isBound = withKeyBinding || binding !== undefined
  const mandate = isBound ? await bind(app, agent, tokens, binding) : tokens.mandate_jwt
  await failBefore(app, agent, { principalId, mandateId: tokens.mandate_id, failures })
  if (way === 'over_limit') await exceedLimit(person, () => agent.settle(tokens.access_token, mandate, randomUUID()))
  const settled = must(await agent.settle<Record<string, string>>(tokens.access_token, mandate, randomUUID()), 200)
  const paymentIntentId = settled['payment_intent_id'] ?? ''
  return { person, paymentIntentId, pack: await readPack(person, paymentIntentId) }
}

export async function readPack(person: Person, paymentIntentId: string): Promise<EvidencePack> {
  return must(await person.call<EvidencePack>('GET', `/wallet/payments/${paymentIntentId}/evidence`), 200)
}

/** The cardholder disputes a payment, or their bank decides; the event of the processor has arrived when this returns. */
export async function dispute(
  app: App,
  { person, paymentIntentId }: Pick<Bought, 'person' | 'paymentIntentId'>,
  status: 'pending' | 'won' | 'lost',
): Promise<void> {
  must(
    await operate(app, 'POST', '/sandbox/disputes', { payment_intent_id: paymentIntentId, dispute_status: status }),
    200,
  )
  // Seldom enough for the quota of the endpoint.
  const read = async () => (await readPack(person, paymentIntentId)).disputes.at(-1)?.status
  await vi.waitFor(async () => expect(await read()).toBe(status), { interval: 300, timeout: 8_000 })
}

/** The processor charges a payment a second time beside the books, and the charge is given back. */
export async function chargeTwice(app: App, { person, pack }: Bought): Promise<void> {
  const { platform, clock } = app
  const [card] = await platform.db.query<{ customer_id: string; payment_method_id: string }>(
    sql`SELECT customer_id, payment_method_id FROM card_mandates WHERE principal_id = ${person.principalId}`,
  )
  const stray = randomUUID()
  const { id } = await platform.processor.createPaymentIntent({
    settlementId: stray,
    amountMinor: pack.settlement.amount_minor,
    currency: pack.settlement.currency,
    customerId: card?.customer_id ?? '',
    paymentMethodId: card?.payment_method_id ?? '',
    connectedAccountId: null,
    applicationFeeMinor: 0,
  })
  await platform.processor.confirmPaymentIntent(id, stray)
  const metadata = JSON.stringify({ settlement_id: pack.settlement.settlement_id })
  await platform.db.query(sql`UPDATE sandbox_processor_intents SET metadata = ${metadata}::jsonb WHERE id = ${id}`)
  const body = JSON.stringify({ id: `evt_${stray}`, type: 'payment_intent.succeeded', data: { object: { id } } })
  const now = clock.now()
  const signature = signWebhook({ body, secret: platform.config.secrets.processorWebhook, now })
  await receiveProcessorWebhook.verb(
    { platform, requestId: stray, now, actor: { kind: 'anonymous' } },
    { rawBody: Buffer.from(body), headers: { 'processor-signature': signature, 'stripe-signature': undefined } },
  )
  await runDueJobs(platform, jobHandlers)
}

interface Failed {
  readonly principalId: string
  readonly mandateId: string
  readonly failures: number
}

/** The entries of charges that failed. */
async function failBefore({ platform, clock }: App, { clientId }: Agent, failed: Failed): Promise<void> {
  const { principalId, mandateId, failures } = failed
  const entries = Array.from({ length: failures }, () => ({
    tenantId: PORTAL_TENANT_ID,
    principalId,
    event: 'oid4ac.payment.failed' as const,
    actor: { kind: 'agent', id: clientId } as const,
    payload: {
      mandate_id: mandateId,
      payment_intent_id: null,
      amount_minor: 1_200,
      currency: 'EUR',
      merchant_audience: 'https://tallow.example',
      settlement_id: randomUUID(),
      failure_code: 'card_declined',
    },
    now: clock.now(),
  }))
  if (failures > 0) await platform.db.transaction((tx) => recordAudits(tx, entries))
}

/** The person lowers their limits below the agreed price, and then approves the limit request of the agent's payment. */
async function exceedLimit(person: Person, settle: () => Promise<Answer>): Promise<void> {
  must(await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' }), 200)
  const refused = must(await settle(), 403)
  must(await person.call('POST', `/wallet/limit-bumps/${String(refused['bump_id'])}/approve`), 200)
}

/** The person confirms by the link in their newest mail; returned is the code that the agent gets. */
async function followLink(app: App, email: string): Promise<string | undefined> {
  const { json } = await exchange<{ messages: { to: string; links: string[] }[] }>(`${app.baseUrl}/sandbox/outbox`, {
    headers: { accept: 'application/json' },
  })
  const link = new URL(json.messages.find(({ to }) => to === email)?.links[0] ?? '')
  const { headers } = await exchange(`${app.baseUrl}/oauth/magic-link/confirm${link.search}`)
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? undefined
}

interface Question {
  readonly person: Person
  readonly way: Way
  readonly merchant: string
  readonly id: string
  readonly wallet: Binding | undefined
}

async function approve(app: App, { person, way, merchant, id, wallet }: Question): Promise<void> {
  if (way === 'token') {
    must(await person.decide(id, 'approve'), 200)
    return
  }
  const call = portalCall(app, person.principalId)
  const shown = displayOf({
    merchant_audience: merchant,
    amount_minor: 1_200,
    currency: 'EUR',
    line_items: ITEMS,
    exceeds: null,
    scope: [],
  })
  if (way === 'wallet') {
    await approveByWallet(app, call, { authorization_id: id, shown: shown as never }, wallet)
    return
  }
  const passkey = way === 'passkey' ? await addPasskey(call) : undefined
  const action = { purpose: 'consent.approve', subject: approvalSubject(id, shown) } as const
  const proof = await passkey?.confirm(call, action)
  await decideConsent.verb(call, { authorization_id: id, decision: 'approve', shown, proof } as never)
}

async function approveByWallet(
  app: App,
  call: WalletCall,
  purchase: Parameters<typeof openWalletRequest>[1],
  { typ, age = 0 }: Binding = {},
): Promise<void> {
  await configureRegion(app)
  const held = await addWallet(app, { call: () => call })
  const { deep_link: link } = await openWalletRequest(call, purchase)
  const { claims } = await fetchRequest(link)
  must(await present(held, claims, { iat: Math.floor(app.clock.now().getTime() / 1000) - age }, typ), 200)
}

/** The person in a session of the portal that was opened just now. */
function portalCall(app: App, principalId: string): WalletCall {
  const now = app.clock.now()
  const session = { id: randomUUID(), method: 'magic_link', authenticatedAt: now } as const
  const actor = { kind: 'wallet', principalId, tenantId: PORTAL_TENANT_ID, via: 'portal', session } as const
  return { platform: app.platform, requestId: randomUUID(), now, actor }
}

/** How a holder writes its key binding. */
export interface Binding {
  readonly typ?: string
  /** Seconds between now and its `iat`. */
  readonly age?: number
  /** JSON of members that come before all others. */
  readonly first?: string
}

/** The mandate with the agent's own signature over it. */
export async function bind(
  app: App,
  agent: Agent,
  { mandate_jwt: mandate }: TokenAnswer,
  { typ = 'kb+jwt', age = 0, first }: Binding = {},
): Promise<string> {
  const iat = Math.floor(app.clock.now().getTime() / 1000) - age
  const claims = JSON.stringify({ aud: app.baseUrl, nonce: 'nonce', sd_hash: sha256Base64url(mandate), iat })
  const payload = first === undefined ? claims : `{${first},${claims.slice(1)}`
  const binding = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'EdDSA', typ })
    .sign(agent.dpopKey.privateKey)
  return mandate + binding
}

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WalletCall } from '@/server/base/core/call'
import type { Clock, Platform } from '@/server/base/core/platform'
import type { Processor } from '@/server/base/core/processor'
import { type Sql, sql } from '@/server/base/core/sql'
import { composePlatform } from '@/server/base/platform/compose'
import { createSandboxProcessor, type SandboxProcessor } from '@/server/base/platform/processor/sandbox'
import type { TestCardName } from '@/server/base/platform/processor/sandbox-cards'
import { signWebhook } from '@/server/base/platform/processor/webhook-signature'
import { type SettlementAnswer, settleMandate } from '@/server/money/settlement'
import { receiveProcessorWebhook } from '@/server/money/webhooks'
import { findMandate, type MandateRow } from '@/server/oauth/mandates'
import { recordAudits } from '@/server/shared/audit'
import { confirmSetupIntent, createSetupIntent } from '@/server/wallet/cards'
import { openTestDatabase } from './database'

export const MERCHANT = 'https://tallow.example'
export const MERCHANT_ACCOUNT = 'acct_tallow'

/** A clock that only moves when it is set. */
interface FixedClock extends Clock {
  set(instant: Date): void
  advance(seconds: number): void
}

function fixedClock(start: Date): FixedClock {
  let now = start
  return {
    now: () => now,
    set: (instant) => {
      now = instant
    },
    advance: (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
  }
}

export interface Person {
  readonly principalId: string
  readonly agentId: string
}

interface MandateOptions {
  readonly amountMinor?: number
  readonly currency?: string
  readonly merchant?: string
  readonly lineItems?: readonly Record<string, unknown>[]
  /** One of the person's agents; the first by default. */
  readonly agentId?: string
}

interface SettleOptions {
  readonly key?: string
  readonly connectedAccountId?: string | null
  readonly feeMinor?: number
  /** The mandate as presented on the wire; the settlement only compares it. */
  readonly presented?: string
}

export interface MoneyFixture {
  readonly platform: Platform
  readonly clock: FixedClock
  readonly sandbox: SandboxProcessor
  readonly tenantId: string
  /** Creates a person with an agent and, unless `card` is null, an enrolled card. */
  person(options?: { card?: TestCardName | null; tenantId?: string; email?: string | null }): Promise<Person>
  agent(principalId: string): Promise<string>
  mandate(person: Person, options?: MandateOptions): Promise<MandateRow>
  settle(mandate: MandateRow, options?: SettleOptions, platform?: Platform): Promise<SettlementAnswer>
  /** Returns a call of the person in a session of the portal that was opened just now. */
  wallet(person: Person, platform?: Platform): WalletCall
  /** Sends a signed event to the webhook endpoint. */
  webhook(event: { id?: string; type: string; object: Record<string, unknown> }, platform?: Platform): Promise<unknown>
  /** Returns the same platform with a processor that differs in some calls. */
  withProcessor(changes: Partial<Processor>): Platform
  count(table: string, where?: Sql): Promise<number>
  close(): Promise<void>
}

/** Opens the money slices with their own database, a fixed clock and the sandbox's card processor. */
export async function openMoneyFixture(
  start = new Date('2026-11-21T10:00:00Z'),
  settings: Readonly<Record<string, string>> = {},
): Promise<MoneyFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-money-'))
  const clock = fixedClock(start)
  const database = await openTestDatabase()
  const env = { DATA_DIR: dataDir, SANDBOX: 'true', LOG_LEVEL: 'silent', ...settings }
  const composed = await composePlatform(env, { clock, database })
  const sandbox = createSandboxProcessor({
    db: database,
    clock,
    random: composed.platform.random,
    webhookSecret: composed.platform.config.secrets.processorWebhook,
    loopbackUrl: null,
  })
  const platform: Platform = { ...composed.platform, processor: sandbox }
  const tenantId = await insertTenant(platform)
  await database.query(
    sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verification_status,
                            connected_account_id, max_application_fee_bps, created_at)
     VALUES ('tallow', ${MERCHANT}, 'Tallow Books', 'AT', '["EUR"]', '["card"]', 'verified', ${MERCHANT_ACCOUNT}, 1000, ${clock.now()})`,
  )
  const fixture: MoneyFixture = {
    platform,
    clock,
    sandbox,
    tenantId,
    person: async ({ card = 'success', tenantId: tenant = tenantId, email = `${randomUUID()}@example.com` } = {}) => {
      const principalId = randomUUID()
      await database.query(
        sql`INSERT INTO principals (id, tenant_id, email, created_at) VALUES (${principalId}, ${tenant}, ${email}, ${clock.now()})`,
      )
      const person = { principalId, agentId: await fixture.agent(principalId) }
      if (card !== null) await enrol(fixture, person, card)
      return person
    },
    agent: (principalId) => insertAgent(platform, principalId),
    mandate: (person, options = {}) => insertMandate(platform, person, options),
    settle: (mandate, options = {}, on = platform) =>
      settleMandate(
        { platform: on, now: clock.now() },
        {
          clientId: mandate.client_id,
          idempotencyKey: options.key ?? randomUUID(),
          mandateJwt: options.presented ?? `mandate-${mandate.id}~`,
          token: null,
          connectedAccountId: options.connectedAccountId ?? null,
          applicationFeeMinor: options.feeMinor ?? 0,
          verify: () => Promise.resolve(mandate),
        },
      ),
    wallet: (person, on = platform) => ({
      platform: on,
      requestId: randomUUID(),
      now: clock.now(),
      actor: {
        kind: 'wallet',
        principalId: person.principalId,
        tenantId,
        via: 'portal',
        session: { id: `session-of-${person.principalId}`, method: 'magic_link', authenticatedAt: clock.now() },
      },
    }),
    webhook: ({ id = `evt_${randomUUID()}`, type, object }, on = platform) => {
      const body = JSON.stringify({ id, type, data: { object } })
      const header = signWebhook({ body, secret: platform.config.secrets.processorWebhook, now: clock.now() })
      return receiveProcessorWebhook.verb(
        { platform: on, requestId: randomUUID(), now: clock.now(), actor: { kind: 'anonymous' } },
        { rawBody: Buffer.from(body), headers: { 'processor-signature': header, 'stripe-signature': undefined } },
      )
    },
    withProcessor: (changes) => ({ ...platform, processor: changedProcessor(sandbox, changes) }),
    count: async (table, where = sql`true`) => {
      const [row] = await database.query<{ n: number }>(sql`SELECT count(*) AS n FROM ${sql.raw(table)} WHERE ${where}`)
      return row?.n ?? 0
    },
    close: async () => {
      await composed.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return fixture
}

export async function insertTenant(platform: Platform): Promise<string> {
  const id = randomUUID()
  await platform.db.query(
    sql`INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
     VALUES (${id}, 'wallet', ${id}, 'Wallet', '[]', '[]', '["audit:read"]', '[]', '{}', ${platform.clock.now()})`,
  )
  return id
}

/** Appends entries about no person to the audit chain of a tenant. */
export async function insertEntries(platform: Platform, tenantId: string, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, at) => ({
    tenantId,
    principalId: null,
    event: 'oid4ac.privacy.access' as const,
    actor: { kind: 'service' as const, id: 'test' },
    payload: { request_id: String(at) },
    now: platform.clock.now(),
  }))
  await platform.db.transaction((tx) => recordAudits(tx, entries))
}

async function insertAgent(platform: Platform, principalId: string): Promise<string> {
  const id = randomUUID()
  await platform.db.query(
    sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
     SELECT ${id}, 'agent', tenant_id, id, 'Claude on my laptop', '[]', '[]', '[]', '[]', '{}', ${platform.clock.now()} FROM principals WHERE id = ${principalId}`,
  )
  return id
}

async function insertMandate(platform: Platform, person: Person, options: MandateOptions): Promise<MandateRow> {
  const now = platform.clock.now()
  const [familyId, mandateId] = [randomUUID(), randomUUID()]
  const clientId = options.agentId ?? person.agentId
  await platform.db.query(
    sql`INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 mandate_id, auth_time, created_at, expires_at)
     SELECT ${familyId}, ${clientId}, id, tenant_id, 'payment', 'jkt', '[]', '[]', ${JSON.stringify(options.lineItems === undefined ? [] : [{ line_items: options.lineItems }])}::jsonb, ${mandateId}, ${now}, ${now}, ${new Date(now.getTime() + 86_400_000)} FROM principals WHERE id = ${person.principalId}`,
  )
  await platform.db.query(
    sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, jkt,
                           status_index, issued_at, expires_at)
     SELECT ${mandateId}, ${familyId}, ${clientId}, id, tenant_id, ${options.merchant ?? MERCHANT}, ${options.amountMinor ?? 1_000}::bigint, ${options.currency ?? 'EUR'}, 'jkt', ${randomBytes(4).readUInt32BE() >>> 1}::int, ${now}, ${new Date(now.getTime() + 300_000)} FROM principals WHERE id = ${person.principalId}`,
  )
  const row = await findMandate(platform.db, mandateId)
  if (row === null) throw new Error('the mandate was not stored')
  return row
}

async function enrol(fixture: MoneyFixture, person: Person, card: TestCardName): Promise<void> {
  const call = fixture.wallet(person)
  const intent = (await createSetupIntent.verb(call)) as { setup_intent_id: string }
  await fixture.sandbox.enrolTestCard({ setupIntentId: intent.setup_intent_id, card })
  await confirmSetupIntent.verb(call, { setup_intent_id: intent.setup_intent_id })
}

function changedProcessor(sandbox: SandboxProcessor, changes: Partial<Processor>): Processor {
  return {
    kind: 'sandbox',
    publishableKey: null,
    createCustomer: (id, replaced) => sandbox.createCustomer(id, replaced),
    createSetupIntent: (request) => sandbox.createSetupIntent(request),
    retrieveSetupIntent: (id) => sandbox.retrieveSetupIntent(id),
    detachCard: (id) => sandbox.detachCard(id),
    deleteCustomer: (id) => sandbox.deleteCustomer(id),
    createPaymentIntent: (request) => sandbox.createPaymentIntent(request),
    confirmPaymentIntent: (id, settlementId) => sandbox.confirmPaymentIntent(id, settlementId),
    retrievePaymentIntent: (id) => sandbox.retrievePaymentIntent(id),
    findPaymentIntent: (settlement) => sandbox.findPaymentIntent(settlement),
    cancelPaymentIntent: (id) => sandbox.cancelPaymentIntent(id),
    refundPayment: (id) => sandbox.refundPayment(id),
    retrieveDispute: (id) => sandbox.retrieveDispute(id),
    ...changes,
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Platform } from '@/server/base/core/platform'
import { type Sql, sql } from '@/server/base/core/sql'
import { parsePublicJwk } from '@/server/base/protocol/jwk'
import { discloseMandate, MANDATE_PLACES, signMandate } from '@/server/oauth/mandates'
import { openWalletSession } from '@/server/oauth/tokens'
import { mintAccessToken } from '@/server/oauth/tokens/mint-access-token'
import { Agent, newKey, Person, type Target, type TokenAnswer } from '../support/actors'

/** A person who pays, with what the harness needs to know about their limits. */
export interface Payer {
  readonly principalId: string
  readonly tenantId: string
  readonly customerId: string
  agents: Agent[]
}

/** A mandate, and the family of tokens that it came with. */
export interface Purchase {
  readonly agent: Agent
  readonly mandateId: string
  readonly familyId: string
  readonly mandate: string
  readonly amountMinor: number
  readonly currency: string
  readonly merchant: Shop
}

export interface Shop {
  readonly audience: string
  readonly account: string
}

/** A card as the processor keeps it. */
export interface Card {
  readonly customerId: string
  readonly paymentMethodId: string
  readonly setupIntentId: string
}

export interface PayerLimits {
  readonly dailyCapMinor?: number
  readonly singleTxnCapMinor?: number
  readonly velocityCount?: number
  readonly velocityWindowSeconds?: number
}

const FAMILY_SECONDS = 86_400

/**
 * Makes tenants, people, agents, mandates and tokens with the server's own keys, straight in its database: what comes
 * before a settlement is not what the harness is about.
 */
export class Population {
  constructor(
    private readonly platform: Platform,
    private readonly target: Target,
  ) {}

  async tenant(): Promise<string> {
    const id = randomUUID()
    await this.#insert(
      sql`INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
       VALUES (${id}, 'wallet', ${id}, 'Wallet', '[]', '[]', '["audit:read"]', '[]', '{}', ${this.platform.clock.now()})`,
    )
    return id
  }

  async shop(name: string): Promise<Shop> {
    const shop = { audience: `https://${name}.example`, account: `acct_${name}` }
    await this.#insert(
      sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, connected_account_id, max_application_fee_bps, created_at)
       VALUES (${name}, ${shop.audience}, ${name}, 'AT', '["EUR"]', '["card"]', 'verified', ${shop.account}, 10000, ${this.platform.clock.now()})`,
    )
    return shop
  }

  async payer(
    tenantId: string,
    { card, limits, principalId = randomUUID() }: { card: Card; limits: PayerLimits | null; principalId?: string },
  ): Promise<Payer> {
    const now = this.platform.clock.now()
    await this.#insert(
      sql`INSERT INTO principals (id, tenant_id, email, approval_rule, processor_customer_id, created_at)
       VALUES (${principalId}, ${tenantId}, ${`${principalId}@example.com`}, 'above_limits', ${card.customerId}, ${now})`,
    )
    await this.#insert(
      sql`INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4,
                                  exp_month, exp_year, is_default, created_at)
       VALUES (${randomUUID()}, ${principalId}, ${card.setupIntentId}, ${card.customerId}, ${card.paymentMethodId}, 'visa', '4242', 12, 2040, true, ${now})`,
    )
    if (limits !== null) {
      await this.#insert(
        sql`INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, single_txn_cap_minor, velocity_count,
                                    velocity_window_seconds, updated_at)
         VALUES (${principalId}, ${limits.dailyCapMinor ?? null}, 'EUR', ${limits.singleTxnCapMinor ?? null}, ${limits.velocityCount ?? null}, ${limits.velocityWindowSeconds ?? null}, ${now})`,
      )
    }
    return { principalId, tenantId, customerId: card.customerId, agents: [] }
  }

  async agent(payer: Payer): Promise<Agent> {
    const [key, dpopKey] = await Promise.all([newKey(), newKey()])
    const id = randomUUID()
    await this.#insert(
      sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
       VALUES (${id}, 'agent', ${payer.tenantId}, ${payer.principalId}, 'Agent', '["http://127.0.0.1:8765/oid4ac/callback"]',
               '["authorization_code","refresh_token"]', '["openid","oid4ac:payment","payment:execute"]', ${JSON.stringify([key.jwk])}, '{}', ${this.platform.clock.now()})`,
    )
    const agent = new Agent(this.target, id, key, dpopKey, payer.principalId)
    payer.agents.push(agent)
    return agent
  }

  async purchase(agent: Agent, order: { shop: Shop; amountMinor: number; currency?: string }): Promise<Purchase> {
    const now = this.platform.clock.now()
    const [familyId, mandateId] = [randomUUID(), randomUUID()]
    const statusIndex = randomBytes(4).readUInt32BE() % MANDATE_PLACES
    const currency = order.currency ?? 'EUR'
    const rows = await this.platform.db.query(
      sql`WITH family AS (
         INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources,
                                     authorization_details, mandate_id, auth_time, created_at, expires_at)
         SELECT ${familyId}, c.id, c.principal_id, c.tenant_id, 'payment', ${agent.dpopKey.jkt}, '["payment:execute"]', '[]', '[]', ${mandateId}, ${now}::timestamptz, ${now}, ${new Date(now.getTime() + FAMILY_SECONDS * 1000)}
           FROM clients c WHERE c.id = ${agent.clientId} RETURNING *)
       INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency,
                             jkt, status_index, issued_at, expires_at)
       SELECT ${mandateId}, id, client_id, principal_id, tenant_id, ${order.shop.audience}, ${order.amountMinor}::bigint, ${currency}, jkt, ${statusIndex}::int, created_at, ${new Date(now.getTime() + this.platform.config.mandateTtlSeconds * 1000)} FROM family
       ON CONFLICT (status_index) DO NOTHING RETURNING id`,
    )
    if (rows.length === 0) return this.purchase(agent, order)
    const mandate = signMandate(this.platform, {
      mandateId,
      clientId: agent.clientId,
      audience: order.shop.audience,
      amountMinor: order.amountMinor,
      currency,
      disclosures: discloseMandate(this.platform, {
        principalId: agent.principalId,
        audience: order.shop.audience,
        lineItems: [{ sku: 'thing', qty: 1, unit_price_minor: order.amountMinor }],
        provenAge: null,
      }),
      offerId: undefined,
      offerDigest: undefined,
      holderKey: parsePublicJwk(agent.dpopKey.jwk),
      holderJkt: agent.dpopKey.jkt,
      statusIndex,
      now,
    })
    const { amountMinor, shop: merchant } = order
    return { agent, mandateId, familyId, mandate, amountMinor, currency, merchant }
  }

  /** What an agent has bought by way of the protocol. */
  bought(agent: Agent, tokens: TokenAnswer, order: { shop: Shop; amountMinor: number }): Purchase {
    const { jti } = decodeJwt<{ jti: string }>(tokens.access_token)
    return {
      agent,
      mandateId: tokens.mandate_id,
      familyId: jti.split('.', 1)[0] ?? '',
      mandate: tokens.mandate_jwt,
      amountMinor: order.amountMinor,
      currency: 'EUR',
      merchant: order.shop,
    }
  }

  /** A fresh access token of the purchase's family. */
  accessToken({ agent, familyId, mandateId }: Purchase): string {
    const now = this.platform.clock.now()
    const subject = {
      familyId,
      clientId: agent.clientId,
      principalId: agent.principalId,
      jkt: agent.dpopKey.jkt,
      acr: 'rule' as const,
      authTime: now,
      mandateId,
      familyExpiresAt: new Date(now.getTime() + FAMILY_SECONDS * 1000),
      now,
    }
    const coverage = { scope: ['payment:execute'], resources: [this.platform.config.baseUrl], details: [] }
    return mintAccessToken(this.platform, subject, coverage).access_token
  }

  /** The person's own session. */
  async person(principalId: string, scope = ['wallet:read', 'wallet:write']): Promise<Person> {
    const key = await newKey()
    const session = await openWalletSession(this.platform, {
      principalId,
      scope,
      jwk: parsePublicJwk(key.jwk),
      now: this.platform.clock.now(),
    })
    return new Person(this.target, principalId, session.access_token, key)
  }

  #insert(statement: Sql): Promise<unknown> {
    return this.platform.db.query(statement)
  }
}

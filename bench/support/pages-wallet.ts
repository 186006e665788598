/** A wallet that was used for a long time, filled without the server. */
import { type Sql, sql } from '../../server/base/core/sql'
import type { OpenDatabase } from '../../server/base/platform/database/client'
import { recordAudits } from '../../server/shared/audit'
import { demoPerson } from '../../server/surfaces/seed/demo-person'

const AUDIT_STEP = 1_000

export interface FullWallet {
  readonly agentId: string
  readonly paymentId: string
  readonly authorizationId: string
  readonly merchant: string
}

export interface WalletSize {
  readonly payments: number
  readonly days: number
  readonly agents: number
  readonly merchants: number
  readonly approvals: number
}

/** Gives the sandbox's built-in person agents, merchants, payments, approvals and the audit entries about them. */
export async function fillWallet(db: OpenDatabase, size: WalletSize): Promise<FullWallet> {
  await db.session(async (session) => {
    for (const statement of statementsFor(size)) await session.query(statement)
  })
  await fillAudit(db, size)
  const [newest] = await db.session(async (session) => {
    await session.query(sql`VACUUM (ANALYZE)`)
    return session.query<FullWallet>(newestSql)
  })
  if (newest === undefined) throw new Error('the wallet has no approved payment')
  return newest
}

const newestSql = sql`
  SELECT p.client_id AS "agentId", p.payment_intent_id AS "paymentId", p.merchant_audience AS merchant,
         k.authorization_id AS "authorizationId"
    FROM payments p JOIN consents k ON k.mandate_id = p.mandate_id ORDER BY p.processed_at DESC LIMIT 1`

function statementsFor({ agents, merchants, payments, days, approvals }: WalletSize): Sql[] {
  return [
    agentsSql(agents, days),
    merchantsSql(merchants),
    paymentsSql({ payments, days, agents, merchants }),
    ...recordsSql,
    approvalsSql(approvals),
  ]
}

const agentsSql = (count: number, days: number) => sql`
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks, metadata, created_at)
  SELECT 'bench-agent-' || i, 'agent', p.tenant_id, p.id, 'Assistant ' || i, 'Buys what is on list ' || i,
         '["http://127.0.0.1:8765/cb"]', '["authorization_code"]', '["openid", "oid4ac:payment", "payment:execute"]',
         '[]', '{}', now() - make_interval(days => ${days}::int)
    FROM principals p, generate_series(1, ${count}::int) i WHERE p.id = ${demoPerson.id}`

const merchantsSql = (count: number) => sql`
  INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verification_status,
                         verified_at, created_at)
  SELECT 'bench-' || i, 'https://shop-' || i || '.example', 'Shop ' || i, 'IE', '["EUR"]', '["card"]', 'verified', now(), now()
    FROM generate_series(1, ${count}::int) i`

/** Inserts payments evenly over the days; every hundredth is disputed, every fiftieth is in another currency. */
const paymentsSql = ({ payments, days, agents, merchants }: Omit<WalletSize, 'approvals'>) => sql`
  CREATE TEMP TABLE old AS
  SELECT 'old-' || i AS id, i, now() - make_interval(secs => 60 + i::bigint * ${days}::int * 86400 / ${payments}::int) AS at,
         p.id AS principal_id, p.tenant_id, 'bench-agent-' || 1 + i % ${agents}::int AS client_id,
         'https://shop-' || 1 + i % ${merchants}::int || '.example' AS merchant, 100 + i % 1900 AS amount,
         CASE WHEN i % 50 = 0 THEN 'USD' ELSE 'EUR' END AS currency,
         CASE WHEN i % 100 = 0 THEN 'disputed_pending' ELSE 'succeeded' END AS status,
         (SELECT min(k.id) FROM card_mandates k WHERE k.principal_id = p.id) AS card_id
    FROM principals p, generate_series(0, ${payments}::int - 1) i WHERE p.id = ${demoPerson.id}`

const recordsSql = [
  sql`INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                               mandate_id, auth_time, created_at, expires_at)
   SELECT id, client_id, principal_id, tenant_id, 'payment', 'jkt', '[]', '[]', '[]', id, at, at, at + interval '1 day' FROM old`,
  sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, jkt,
                         status_index, issued_at, expires_at)
   SELECT id, id, client_id, principal_id, tenant_id, merchant, amount, currency, 'jkt', 1000000000 + i, at,
          at + interval '300 seconds' FROM old`,
  sql`INSERT INTO settlements (id, client_id, principal_id, tenant_id, mandate_id, idempotency_key, request_digest, state,
                            amount_minor, currency, merchant_audience, application_fee_minor, card_id, payment_intent_id,
                            day, response, reserved_at, settled_at, lease_until)
   SELECT id, client_id, principal_id, tenant_id, id, id, 'digest', 'succeeded', amount, currency, merchant, 0, card_id,
          'pi_' || id, at::date, '{}', at, at, at FROM old`,
  sql`INSERT INTO payments (payment_intent_id, settlement_id, principal_id, tenant_id, client_id, mandate_id,
                         merchant_audience, amount_minor, currency, status, processed_at, receipt_jws)
   SELECT 'pi_' || id, id, principal_id, tenant_id, client_id, id, merchant, amount, currency, status, at, 'receipt' FROM old`,
  sql`INSERT INTO spend_counters (principal_id, day, currency, spent_minor)
   SELECT principal_id, at::date, currency, sum(amount) FROM old GROUP BY 1, 2, 3`,
  sql`INSERT INTO agent_spend_counters (client_id, day, currency, spent_minor)
   SELECT client_id, at::date, currency, sum(amount) FROM old GROUP BY 1, 2, 3`,
]

const approvalsSql = (count: number) => sql`
  INSERT INTO consents (authorization_id, approval_handle, principal_id, client_id, kind, consent_mode, match_code,
                        merchant_audience, merchant_name, amount_minor, currency, line_items, scope,
                        first_purchase_at_merchant, status, created_at, expires_at, decided_at, decided_via, mandate_id)
  SELECT 'consent-' || id, 'handle-' || id, principal_id, client_id, 'payment', 'scan', '42', merchant, NULL, amount, currency,
         jsonb_build_array(jsonb_build_object('sku', 'book', 'title', 'A book', 'qty', 1, 'unit_price_minor', amount)),
         '["oid4ac:payment"]', false, CASE WHEN i % 10 = 9 THEN 'declined' ELSE 'approved' END, at - interval '2 minutes',
         at + interval '3 minutes', at - interval '1 minute', 'portal', CASE WHEN i % 10 = 9 THEN NULL ELSE id END
    FROM old WHERE i < ${count}::int`

interface Paid {
  readonly tenant_id: string
  readonly principal_id: string
  readonly client_id: string
  readonly mandate_id: string
  readonly payment_intent_id: string
  readonly amount_minor: number
  readonly currency: string
  readonly merchant_audience: string
  readonly processed_at: Date
}

/** Appends one audit entry per payment, hashed as the service does it. */
async function fillAudit(db: OpenDatabase, { days }: WalletSize): Promise<void> {
  const paid = await db.query<Paid>(sql`
    SELECT tenant_id, principal_id, client_id, mandate_id, payment_intent_id, amount_minor::int, currency, merchant_audience,
           processed_at FROM payments ORDER BY processed_at`)
  // Times in a chain never decrease, and the server has already written its first entry.
  await db.query(sql`UPDATE audit_heads SET ts = now() - make_interval(days => ${days + 1}::int)`)
  for (let from = 0; from < paid.length; from += AUDIT_STEP) {
    const records = paid.slice(from, from + AUDIT_STEP).map(toRecord)
    await db.transaction((tx) => recordAudits(tx, records))
  }
}

function toRecord({ tenant_id, principal_id, client_id, processed_at, ...payload }: Paid) {
  return {
    tenantId: tenant_id,
    principalId: principal_id,
    event: 'oid4ac.payment.succeeded',
    actor: { kind: 'agent', id: client_id },
    payload,
    now: processed_at,
  } as const
}

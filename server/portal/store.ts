import type { Queryable } from '../core/platform'
import type { ConsentView, SettlementProgress } from './contract'

export interface SpendRow {
  currency: string
  spent_minor: number
  reserved_minor: number
}

/** What is spent and held today, per currency. */
export function listSpendOfDay(db: Queryable, principalId: string, day: string): Promise<SpendRow[]> {
  return db.query<SpendRow>(
    `SELECT currency, spent_minor, reserved_minor FROM spend_counters
      WHERE principal_id = $1 AND day = $2::date ORDER BY currency`,
    [principalId, day],
  )
}

/** What the portal shows of a waiting consent beyond what the interface shows. */
export function listPortalMembers(db: Queryable, principalId: string, ids: readonly string[]) {
  return db.query<{ authorization_id: string; kind: 'payment' | 'wallet'; match_code: string }>(
    `SELECT authorization_id, kind, match_code FROM consents WHERE principal_id = $1 AND authorization_id = ANY ($2::text[])`,
    [principalId, ids],
  )
}

interface ConsentSurroundings {
  merchant_verified: boolean
  agent_is_new: boolean
  payment: ConsentView['payment']
  settlement: {
    readonly id: string
    readonly state: 'reserved' | 'submitting' | 'requires_action' | 'succeeded' | 'failed' | 'unknown'
  } | null
}

/** What stands around one consent: its merchant, what its agent did before, and what became of it. */
export async function findConsentSurroundings(
  db: Queryable,
  principalId: string,
  authorizationId: string,
): Promise<ConsentSurroundings | null> {
  const [row] = await db.query<ConsentSurroundings>(
    `SELECT EXISTS (SELECT 1 FROM merchants m
                     WHERE m.merchant_audience = o.merchant_audience AND m.verification_status = 'verified') AS merchant_verified,
            NOT EXISTS (SELECT 1 FROM payments p WHERE p.principal_id = $1 AND p.client_id = o.client_id
                           AND p.mandate_id IS DISTINCT FROM o.mandate_id)
              AND NOT EXISTS (SELECT 1 FROM consents k WHERE k.principal_id = $1 AND k.client_id = o.client_id
                                 AND k.status = 'approved' AND k.authorization_id <> o.authorization_id) AS agent_is_new,
            (SELECT jsonb_build_object('payment_intent_id', p.payment_intent_id, 'status', p.status)
               FROM payments p WHERE p.principal_id = $1 AND p.mandate_id = o.mandate_id) AS payment,
            (SELECT jsonb_build_object('id', s.id, 'state', s.state) FROM settlements s
              WHERE s.principal_id = $1 AND s.mandate_id = o.mandate_id
              ORDER BY (s.state <> 'failed') DESC, s.reserved_at DESC LIMIT 1) AS settlement
       FROM consents o WHERE o.authorization_id = $2 AND o.principal_id = $1`,
    [principalId, authorizationId],
  )
  return row ?? null
}

/** In the page's words: what is reserved or sent to the processor is in progress. */
export function progressOf(settlement: ConsentSurroundings['settlement']): SettlementProgress {
  if (settlement === null) return 'none'
  const { state } = settlement
  return state === 'reserved' || state === 'submitting' ? 'in_progress' : state
}

export interface AgentSpendRow {
  client_id: string
  currency: string
  amount_minor: string
}

/** What each agent has paid since `from`, per currency. Lost disputes gave the money back. */
export function listAgentSpend(db: Queryable, principalId: string, from: Date): Promise<AgentSpendRow[]> {
  return db.query<AgentSpendRow>(
    `SELECT client_id, currency, sum(amount_minor)::text AS amount_minor FROM payments
      WHERE principal_id = $1 AND processed_at >= $2 AND status <> 'disputed_lost'
      GROUP BY client_id, currency ORDER BY client_id, currency`,
    [principalId, from],
  )
}

export async function countActiveFamilies(db: Queryable, principalId: string, choice: { clientId: string; now: Date }) {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM token_families
      WHERE principal_id = $1 AND client_id = $2 AND revoked_at IS NULL AND expires_at > $3`,
    [principalId, choice.clientId, choice.now],
  )
  return row?.count ?? 0
}

const MERCHANT_PREFIX = 'merchant:'

/** Merchants where the agent may buy again without asking. */
export function listRememberedMerchants(db: Queryable, principalId: string, clientId: string) {
  return db.query<{ merchant_audience: string; merchant_name: string | null; created_at: Date }>(
    `SELECT substr(r.subject, ${MERCHANT_PREFIX.length + 1}) AS merchant_audience, m.business_name AS merchant_name, r.created_at
       FROM remembered_approvals r
       LEFT JOIN merchants m ON m.merchant_audience = substr(r.subject, ${MERCHANT_PREFIX.length + 1})
      WHERE r.principal_id = $1 AND r.client_id = $2 AND starts_with(r.subject, '${MERCHANT_PREFIX}')
      ORDER BY r.created_at DESC, r.subject LIMIT 200`,
    [principalId, clientId],
  )
}

/** Where living agents may buy again without asking, and no rule of the person says anything about that agent there. */
export function listUnlistedMerchants(db: Queryable, principalId: string) {
  return db.query<{ merchant_audience: string; merchant_name: string | null; agent_client_id: string }>(
    `SELECT a.merchant_audience, m.business_name AS merchant_name, a.client_id AS agent_client_id
       FROM (SELECT client_id, substr(subject, ${MERCHANT_PREFIX.length + 1}) AS merchant_audience, created_at
               FROM remembered_approvals
              WHERE principal_id = $1 AND starts_with(subject, '${MERCHANT_PREFIX}')) a
       JOIN clients c ON c.id = a.client_id AND c.revoked_at IS NULL
       LEFT JOIN merchants m USING (merchant_audience)
      WHERE NOT EXISTS (SELECT 1 FROM principal_merchant_rules o
                         WHERE o.principal_id = $1 AND o.merchant_audience = a.merchant_audience
                           AND (o.client_id IS NULL OR o.client_id = a.client_id))
      ORDER BY a.created_at DESC, a.merchant_audience, a.client_id LIMIT 200`,
    [principalId],
  )
}

/** Forgets that the agent may buy at the merchant without asking. */
export async function forgetRememberedMerchant(
  db: Queryable,
  principalId: string,
  choice: { clientId: string; merchantAudience: string },
): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM remembered_approvals WHERE principal_id = $1 AND client_id = $2 AND subject = $3 RETURNING subject',
    [principalId, choice.clientId, MERCHANT_PREFIX + choice.merchantAudience],
  )
  return rows.length === 1
}

const ACCESS_PREFIX = 'wallet:'

/** Sets of wallet scopes that the agent may use again without asking. */
export async function listRememberedAccess(db: Queryable, principalId: string, clientId: string) {
  return db.query<{ scope: string; created_at: Date }>(
    `SELECT substr(subject, ${ACCESS_PREFIX.length + 1}) AS scope, created_at FROM remembered_approvals
      WHERE principal_id = $1 AND client_id = $2 AND starts_with(subject, '${ACCESS_PREFIX}')
      ORDER BY created_at DESC, subject LIMIT 200`,
    [principalId, clientId],
  )
}

interface PaymentSurroundings {
  agent_purpose: string | null
  agent_revoked: boolean
  merchant_verified: boolean
  over_limit: boolean
  remembered: boolean
}

/** What stands around one payment of the person: its agent and merchant as they are now, and what allowed it. */
export async function findPaymentSurroundings(
  db: Queryable,
  principalId: string,
  paymentIntentId: string,
): Promise<PaymentSurroundings | null> {
  const [row] = await db.query<PaymentSurroundings>(
    `SELECT c.purpose AS agent_purpose, c.revoked_at IS NOT NULL AS agent_revoked,
            coalesce(m.verification_status = 'verified', false) AS merchant_verified,
            EXISTS (SELECT 1 FROM limit_bumps b WHERE b.used_by = p.settlement_id) AS over_limit,
            EXISTS (SELECT 1 FROM consents k WHERE k.principal_id = $1 AND k.client_id = p.client_id
                       AND k.merchant_audience = p.merchant_audience AND k.status = 'approved'
                       AND k.decided_at <= d.issued_at) AS remembered
       FROM payments p JOIN clients c ON c.id = p.client_id JOIN mandates d ON d.id = p.mandate_id
       LEFT JOIN merchants m ON m.merchant_audience = p.merchant_audience
      WHERE p.payment_intent_id = $2 AND p.principal_id = $1`,
    [principalId, paymentIntentId],
  )
  return row ?? null
}

export interface PaymentAuditRow {
  seq: number
  ts: Date
  event: string
  dispute_status: string | null
}

/** The audit entries about one payment, oldest first: of the time in which it was made, and of its dispute. */
export function listPaymentAudit(
  db: Queryable,
  owner: { principalId: string; tenantId: string },
  payment: { paymentIntentId: string; since: Date; until: Date },
): Promise<PaymentAuditRow[]> {
  const columns = `seq, ts, event, payload::jsonb ->> 'dispute_status' AS dispute_status`
  const isIts = `tenant_id = $1 AND principal_id = $2 AND payload::jsonb ->> 'payment_intent_id' = $3`
  return db.query<PaymentAuditRow>(
    `SELECT ${columns} FROM audit_entries
      WHERE ${isIts} AND ts BETWEEN $4 AND $5 AND event <> 'oid4ac.payment.disputed'
     UNION ALL
     SELECT ${columns} FROM audit_entries WHERE ${isIts} AND event = 'oid4ac.payment.disputed'
     ORDER BY seq LIMIT 100`,
    [owner.tenantId, owner.principalId, payment.paymentIntentId, payment.since, payment.until],
  )
}

/**
 * A text that changes whenever something that the portal shows of the person changes, also by time alone: counts and
 * newest instants, each found by an index of the person's rows.
 */
export async function readRevision(db: Queryable, principalId: string, now: Date): Promise<string> {
  const [row] = await db.query<{ revision: string }>(
    `SELECT md5(concat_ws('|',
       (SELECT concat_ws(',', count(*), max(created_at), max(decided_at), count(*) FILTER (WHERE status = 'pending' AND expires_at > $2))
          FROM consents WHERE principal_id = $1),
       (SELECT max(processed_at) FROM payments WHERE principal_id = $1),
       (SELECT count(*) FROM payments WHERE principal_id = $1 AND status = 'disputed_pending'),
       (SELECT seq FROM audit_entries WHERE principal_id = $1 ORDER BY ts DESC, seq DESC LIMIT 1),
       (SELECT string_agg(state || count, ',' ORDER BY state)
          FROM (SELECT state, count(*) AS count FROM settlements
                 WHERE principal_id = $1 AND reserved_at > $2::timestamptz - interval '1 day' GROUP BY state) by_state),
       (SELECT concat_ws(',', count(*), count(consumed_at), count(cancelled_at), count(*) FILTER (WHERE expires_at > $2))
          FROM setup_tokens WHERE principal_id = $1),
       (SELECT concat_ws(',', count(*), count(revoked_at), max(muted_until), count(*) FILTER (WHERE muted_until > $2))
          FROM clients WHERE principal_id = $1),
       (SELECT concat_ws(',', count(*), max(created_at), max(decided_at), count(*) FILTER (WHERE status = 'pending' AND expires_at > $2))
          FROM limit_bumps WHERE principal_id = $1),
       (SELECT string_agg(id || is_default::text || status, ',' ORDER BY id) FROM card_mandates WHERE principal_id = $1),
       (SELECT updated_at FROM wallet_limits WHERE principal_id = $1),
       (SELECT concat_ws(',', count(*), max(updated_at)) FROM agent_limits WHERE principal_id = $1),
       (SELECT string_agg(currency || reserved_minor || '/' || spent_minor, ',' ORDER BY currency)
          FROM spend_counters WHERE principal_id = $1 AND day = $3::date),
       (SELECT concat_ws(',', count(*), max(updated_at)) FROM principal_merchant_rules WHERE principal_id = $1),
       (SELECT (approval_rule, magic_link_gate, only_listed_merchants)::text FROM principals WHERE id = $1))) AS revision`,
    [principalId, now, now.toISOString().slice(0, 10)],
  )
  return row?.revision ?? ''
}

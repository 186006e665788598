import type { LineItem } from '../contract/wire'
import type { Queryable } from '../core/platform'

export interface ConsentRow {
  authorization_id: string
  approval_handle: string
  principal_id: string
  client_id: string
  client_name: string
  client_purpose: string | null
  kind: 'payment' | 'wallet'
  consent_mode: 'dashboard' | 'scan'
  match_code: string
  merchant_audience: string | null
  merchant_name: string | null
  amount_minor: number | null
  currency: string | null
  line_items: LineItem[] | null
  offer_id: string | null
  scope: string[]
  first_purchase_at_merchant: boolean
  limit_bump_id: string | null
  status: 'pending' | 'approved' | 'declined'
  created_at: Date
  expires_at: Date
  decided_at: Date | null
  mandate_id: string | null
}

const select = `SELECT o.authorization_id, o.approval_handle, o.principal_id, o.client_id, c.name AS client_name,
    c.purpose AS client_purpose, o.kind, o.consent_mode, o.match_code, o.merchant_audience, o.merchant_name, o.amount_minor,
    o.currency, o.line_items, o.offer_id, o.scope, o.first_purchase_at_merchant, o.limit_bump_id, o.status, o.created_at,
    o.expires_at, o.decided_at, o.mandate_id
  FROM consents o JOIN clients c ON c.id = o.client_id`

export interface NewConsent {
  readonly authorizationId: string
  readonly approvalHandle: string
  readonly matchCode: string
  readonly principalId: string
  readonly clientId: string
  readonly kind: 'payment' | 'wallet'
  readonly mode: 'dashboard' | 'scan'
  readonly merchantAudience: string | null
  readonly merchantName: string | null
  readonly amountMinor: number | null
  readonly currency: string | null
  readonly lineItems: readonly LineItem[] | null
  readonly offerId: string | null
  readonly scope: readonly string[]
  readonly firstPurchaseAtMerchant: boolean
  readonly limitBumpId: string | null
  readonly now: Date
  readonly expiresAt: Date
}

/** More than this many waiting questions from one agent would only wear the person out. */
export const PENDING_CONSENTS_PER_AGENT = 3

/**
 * Puts the question, unless the agent has as many waiting already or may not ask for now: false then. Ask under the
 * person's lock, so that of any number of questions at once no more than that are put.
 */
export async function insertConsent(tx: Queryable, consent: NewConsent): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO consents (authorization_id, approval_handle, match_code, principal_id, client_id, kind, consent_mode,
                           merchant_audience, merchant_name, amount_minor, currency, line_items, offer_id, scope,
                           first_purchase_at_merchant, limit_bump_id, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::bigint, $11, $12::jsonb, $13, $14::jsonb, $15::boolean, $16, $17, $18
      WHERE (SELECT count(*) FROM consents o WHERE o.principal_id = $4 AND o.client_id = $5
                AND o.status = 'pending' AND o.expires_at > $17) < ${PENDING_CONSENTS_PER_AGENT}
        AND NOT EXISTS (SELECT 1 FROM clients c WHERE c.id = $5 AND c.muted_until > $17)
     RETURNING authorization_id`,
    [
      consent.authorizationId,
      consent.approvalHandle,
      consent.matchCode,
      consent.principalId,
      consent.clientId,
      consent.kind,
      consent.mode,
      consent.merchantAudience,
      consent.merchantName,
      consent.amountMinor,
      consent.currency,
      consent.lineItems === null ? null : JSON.stringify(consent.lineItems),
      consent.offerId,
      JSON.stringify(consent.scope),
      consent.firstPurchaseAtMerchant,
      consent.limitBumpId,
      consent.now,
      consent.expiresAt,
    ],
  )
  return rows.length === 1
}

/** Undecided and unexpired, newest first. A revoked agent asks for nothing any more. */
export function listPending(db: Queryable, principalId: string, now: Date): Promise<ConsentRow[]> {
  return db.query<ConsentRow>(
    `${select} WHERE o.principal_id = $1 AND o.status = 'pending' AND o.expires_at > $2 AND c.revoked_at IS NULL
      ORDER BY o.created_at DESC, o.authorization_id LIMIT 200`,
    [principalId, now],
  )
}

/** Decided or expired, newest first. */
export function listPast(db: Queryable, principalId: string, now: Date): Promise<ConsentRow[]> {
  return db.query<ConsentRow>(
    `${select} WHERE o.principal_id = $1 AND (o.status <> 'pending' OR o.expires_at <= $2)
      ORDER BY coalesce(o.decided_at, o.expires_at) DESC, o.authorization_id LIMIT 100`,
    [principalId, now],
  )
}

/** The principal's consent by its id or by the handle that the agent shows. */
export async function findConsent(db: Queryable, principalId: string, idOrHandle: string): Promise<ConsentRow | null> {
  const [row] = await db.query<ConsentRow>(
    `${select} WHERE (o.authorization_id = $2 OR o.approval_handle = $2) AND o.principal_id = $1`,
    [principalId, idOrHandle],
  )
  return row ?? null
}

interface Verdict {
  readonly authorizationId: string
  readonly principalId: string
  readonly status: 'approved' | 'declined'
  readonly via: 'portal' | 'token'
  readonly now: Date
}

/** What was decided about. */
export type DecidedConsent = Pick<
  ConsentRow,
  'client_id' | 'merchant_audience' | 'amount_minor' | 'currency' | 'line_items' | 'scope' | 'limit_bump_id'
>

/** Decides a pending consent; of two deciding at once one wins. Null when it was not pending any more. */
export async function decidePending(tx: Queryable, verdict: Verdict): Promise<DecidedConsent | null> {
  const [row] = await tx.query<DecidedConsent>(
    `UPDATE consents SET status = $3, decided_at = $4, decided_via = $5
      WHERE authorization_id = $1 AND principal_id = $2 AND status = 'pending' AND expires_at > $4
     RETURNING client_id, merchant_audience, amount_minor, currency, line_items, scope, limit_bump_id`,
    [verdict.authorizationId, verdict.principalId, verdict.status, verdict.now, verdict.via],
  )
  return row ?? null
}

interface Remembered {
  readonly principalId: string
  readonly clientId: string
  readonly subject: string
  readonly now: Date
}

export async function rememberApproval(
  tx: Queryable,
  { principalId, clientId, subject, now }: Remembered,
): Promise<void> {
  await tx.query(
    `INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [principalId, clientId, subject, now],
  )
}

/** Until when the agent may ask nothing. False when the person has no such living agent. */
export async function saveMutedUntil(
  db: Queryable,
  mute: { readonly principalId: string; readonly clientId: string; readonly until: Date | null },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE clients SET muted_until = $3 WHERE id = $2 AND principal_id = $1 AND revoked_at IS NULL RETURNING id`,
    [mute.principalId, mute.clientId, mute.until],
  )
  return rows.length === 1
}

export async function findMutedUntil(
  db: Queryable,
  agent: { readonly principalId: string; readonly clientId: string; readonly now: Date },
): Promise<Date | null> {
  const [row] = await db.query<{ muted_until: Date | null }>(
    'SELECT muted_until FROM clients WHERE id = $2 AND principal_id = $1 AND muted_until > $3',
    [agent.principalId, agent.clientId, agent.now],
  )
  return row?.muted_until ?? null
}

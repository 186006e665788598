import type { LineItem } from '../../base/contract/wire'
import type { Authentication } from '../../base/core/authentication'
import { type Database, type Queryable, type Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { type Exceeded, exceedsSql } from '../limits'
import { isVerifiedSql } from '../merchants'
import { tooManyEarlySql } from './early-authorize-store'
import { type EvidenceRow } from './evidence-store'

export type ConsentRow = Row<
  'Consent',
  | 'authorization_id'
  | 'approval_handle'
  | 'principal_id'
  | 'client_id'
  | 'kind'
  | 'consent_mode'
  | 'match_code'
  | 'merchant_audience'
  | 'merchant_name'
  | 'amount_minor'
  | 'currency'
  | 'line_items'
  | 'offer_id'
  | 'scope'
  | 'first_purchase_at_merchant'
  | 'limit_bump_id'
  | 'status'
  | 'created_at'
  | 'expires_at'
  | 'decided_at'
  | 'decided_via'
  | 'mandate_id',
  {
    kind: 'payment' | 'wallet'
    consent_mode: 'dashboard' | 'scan'
    line_items: LineItem[] | null
    scope: string[]
    status: 'pending' | 'approved' | 'declined' | 'withdrawn'
    decided_via:
      | 'portal'
      | 'token'
      | 'magic_link'
      | 'agent_revoked'
      | 'frozen'
      | 'paused'
      | 'restricted'
      | 'presented'
      | 'erased'
      | null
  }
> & {
  /** The name of the agent that the person sees: the given name, or the registered one. */
  client_label: string
  /** The agent's label, with the tail of its key where another agent has that name. */
  client_shown_name: string
  /** The agent's label, always with the tail of its key. */
  client_full_name: string
  client_purpose: string | null
  /** The limits that approving lifts; null when there are none. */
  exceeds: readonly Exceeded[] | null
}

const select = sql`SELECT o.authorization_id, o.approval_handle, o.principal_id, o.client_id, c.label AS client_label,
    c.shown_name AS client_shown_name, c.full_name AS client_full_name,
    c.purpose AS client_purpose, o.kind, o.consent_mode, o.match_code, o.merchant_audience, o.merchant_name, o.amount_minor,
    o.currency, o.line_items, o.offer_id, o.scope, o.first_purchase_at_merchant, o.limit_bump_id, o.status, o.created_at,
    o.expires_at, o.decided_at, o.decided_via, o.mandate_id, ${exceedsSql(sql`o.limit_bump_id`)} AS exceeds
  FROM consents o JOIN agents c ON c.id = o.client_id`

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

/** The most approvals of one agent that may wait for the person at a time. */
export const PENDING_CONSENTS_PER_AGENT = 3

/**
 * Inserts the approval and returns the agent's name as the person sees it; null when the agent has as many approvals
 * waiting as it may have or has sent too many to authorize undecided, or the person has restricted processing or been
 * erased. The caller holds the person's lock, so that parallel requests cannot exceed the number.
 */
export async function insertConsent(
  tx: Queryable,
  consent: NewConsent,
): Promise<{ readonly agentName: string } | null> {
  const [row] = await tx.query<{ agent_name: string }>(
    sql`INSERT INTO consents (authorization_id, approval_handle, match_code, principal_id, client_id, kind, consent_mode,
                           merchant_audience, merchant_name, amount_minor, currency, line_items, offer_id, scope,
                           first_purchase_at_merchant, limit_bump_id, created_at, expires_at)
     SELECT ${consent.authorizationId}, ${consent.approvalHandle}, ${consent.matchCode}, ${consent.principalId}, ${consent.clientId}, ${consent.kind}, ${consent.mode}, ${consent.merchantAudience}, ${consent.merchantName}, ${consent.amountMinor}::bigint, ${consent.currency}, ${consent.lineItems === null ? null : JSON.stringify(consent.lineItems)}::jsonb, ${consent.offerId}, ${JSON.stringify(consent.scope)}::jsonb, ${consent.firstPurchaseAtMerchant}::boolean, ${consent.limitBumpId}, ${consent.now}, ${consent.expiresAt}
      WHERE (SELECT count(*) FROM consents o WHERE o.principal_id = ${consent.principalId} AND o.client_id = ${consent.clientId}
                AND o.status = 'pending' AND o.expires_at > ${consent.now}) < ${PENDING_CONSENTS_PER_AGENT}
        AND NOT EXISTS (${tooManyEarlySql(consent)})
        AND EXISTS (SELECT 1 FROM active_principals p WHERE p.id = ${consent.principalId} AND NOT p.processing_restricted)
     RETURNING (SELECT c.shown_name FROM agents c WHERE c.id = consents.client_id) AS agent_name`,
  )
  return row === undefined ? null : { agentName: row.agent_name }
}

type PendingRow = ConsentRow & { readonly merchant_verified: boolean }

/** Returns the approvals that are undecided and have not expired, newest first, without those of revoked agents. */
export function listPending(db: Queryable, principalId: string, now: Date): Promise<PendingRow[]> {
  return db.query<PendingRow>(
    sql`SELECT o.*, ${isVerifiedSql(sql`o.merchant_audience`, sql`${now}::timestamptz`)} AS merchant_verified
       FROM (${select} WHERE o.principal_id = ${principalId} AND o.status = 'pending' AND o.expires_at > ${now} AND c.revoked_at IS NULL
              ORDER BY o.created_at DESC, o.authorization_id LIMIT 200) o
      ORDER BY o.created_at DESC, o.authorization_id`,
  )
}

type PastConsentRow = ConsentRow & {
  /** The method by which the person confirmed in the portal; null when they did not confirm there. */
  method: EvidenceRow['method'] | null
}

/** Returns the approvals that were decided or have expired, newest first. */
export function listPast(
  db: Queryable,
  principalId: string,
  { now, offset, limit }: { readonly now: Date; readonly offset: number; readonly limit: number },
): Promise<PastConsentRow[]> {
  return db.query<PastConsentRow>(
    sql`SELECT o.*, (SELECT e.method FROM approval_evidence e WHERE e.authorization_id = o.authorization_id) AS method
       FROM (${select} WHERE o.principal_id = ${principalId} AND (o.status <> 'pending' OR o.expires_at <= ${now})
              ORDER BY coalesce(o.decided_at, o.expires_at) DESC, o.authorization_id LIMIT ${limit} OFFSET ${offset}) o
      ORDER BY coalesce(o.decided_at, o.expires_at) DESC, o.authorization_id`,
  )
}

/** Returns the person's consent; null when there is none. */
export async function findConsent(db: Queryable, principalId: string, id: string): Promise<ConsentRow | null> {
  const [row] = await db.query<ConsentRow>(
    sql`${select} WHERE o.authorization_id = ${id} AND o.principal_id = ${principalId}`,
  )
  return row ?? null
}

/**
 * Returns the person's consent by its id or by the handle in the agent's link, which anyone who sees the link knows: for
 * reading, not for deciding. Null when there is none.
 */
export async function findConsentOfLink(
  db: Queryable,
  principalId: string,
  idOrHandle: string,
): Promise<ConsentRow | null> {
  const [row] = await db.query<ConsentRow>(
    sql`${select} WHERE (o.authorization_id = ${idOrHandle} OR o.approval_handle = ${idOrHandle}) AND o.principal_id = ${principalId}`,
  )
  return row ?? null
}

/** Returns whether the approval can be decided. */
export function isOpen(row: Pick<ConsentRow, 'status' | 'expires_at'>, now: Date): boolean {
  return row.status === 'pending' && row.expires_at > now
}

interface NewDecision {
  readonly authorizationId: string
  readonly principalId: string
  readonly status: 'approved' | 'declined'
  readonly via: 'portal' | 'token'
  /** The acr and time of the approving person's authentication; null for a decline. */
  readonly authentication: Authentication | null
  readonly now: Date
}

/** The facts of the consent that was decided. */
export type DecidedConsent = Pick<
  ConsentRow,
  | 'client_id'
  | 'merchant_audience'
  | 'merchant_name'
  | 'amount_minor'
  | 'currency'
  | 'line_items'
  | 'scope'
  | 'limit_bump_id'
  | 'exceeds'
>

/** Decides a pending approval, once. Returns null when it is no longer pending. */
export async function decidePending(tx: Queryable, decision: NewDecision): Promise<DecidedConsent | null> {
  const [row] = await tx.query<DecidedConsent>(
    sql`UPDATE consents SET status = ${decision.status}, decided_at = ${decision.now}, decided_via = ${decision.via},
            acr = ${decision.authentication?.acr ?? null}, auth_time = ${decision.authentication?.authTime ?? null}
      WHERE authorization_id = ${decision.authorizationId} AND principal_id = ${decision.principalId} AND status = 'pending' AND expires_at > ${decision.now}
     RETURNING client_id, merchant_audience, merchant_name, amount_minor, currency, line_items, scope, limit_bump_id,
               ${exceedsSql(sql`limit_bump_id`)} AS exceeds`,
  )
  return row ?? null
}

/** SQL statement that stores in an approval the mandate that it led to; the parts are expressions of the statement. */
export const saveMandateSql = (parts: {
  readonly authorizationId: Sql
  readonly mandateId: Sql
  readonly condition: Sql
}): Sql =>
  sql`UPDATE consents SET mandate_id = ${parts.mandateId}
       WHERE authorization_id = ${parts.authorizationId} AND ${parts.condition}`

/** Declines the agent's waiting approvals because the agent is revoked. */
export async function declinePendingApprovals(tx: Transaction, clientId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE consents SET status = 'declined', decided_at = ${now}, decided_via = 'agent_revoked'
      WHERE client_id = ${clientId} AND status = 'pending' AND expires_at > ${now}`,
  )
}

/**
 * SQL row source of one row: how and when the person confirmed a request. That is by the approval that the request
 * waited for, or, without one, by rule, at the time when they last approved a request of its agent or connected it.
 * `request` has `authorization_id` and `client_id`.
 */
export const authenticationSql = ({
  request,
  connectedAt,
}: {
  readonly request: Sql
  readonly connectedAt: Sql
}): Sql =>
  sql`(SELECT o.acr, o.auth_time FROM consents o WHERE o.authorization_id = ${request}.authorization_id
       UNION ALL
       SELECT 'rule', greatest(${connectedAt}, (SELECT max(o.auth_time) FROM consents o WHERE o.client_id = ${request}.client_id))
        WHERE ${request}.authorization_id IS NULL)`

type AgentApprovalRow = Row<
  'Consent',
  'authorization_id' | 'kind' | 'amount_minor' | 'currency' | 'merchant_audience' | 'merchant_name' | 'created_at',
  Pick<ConsentRow, 'kind'>
> & { readonly status: ConsentRow['status'] | 'expired' }

/**
 * Returns the approvals that an agent asked for, newest first; one that was not decided in time is shown as expired.
 */
export async function listAgentApprovals(
  db: Database,
  agent: { readonly principalId: string; readonly clientId: string },
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<AgentApprovalRow[]> {
  const rows = await db.prisma.consent.findMany({
    where: { principal_id: agent.principalId, client_id: agent.clientId },
    select: {
      authorization_id: true,
      kind: true,
      status: true,
      amount_minor: true,
      currency: true,
      merchant_audience: true,
      merchant_name: true,
      created_at: true,
      expires_at: true,
    },
    orderBy: [{ created_at: 'desc' }, { authorization_id: 'asc' }],
    take: limit,
  })
  return rows.map(({ expires_at: expiresAt, ...row }) => ({
    ...rowOf<AgentApprovalRow>(row),
    ...(row.status === 'pending' && expiresAt <= now && { status: 'expired' as const }),
  }))
}

/**
 * SQL expression: a text that changes whenever the person's approvals change or one expires; part of the portal's
 * revision.
 */
export const approvalsRevisionSql = (principalId: string, now: Date): Sql =>
  sql`(SELECT concat_ws(',', count(*), max(created_at), max(decided_at), count(*) FILTER (WHERE status = 'pending' AND expires_at > ${now}))
     FROM consents WHERE principal_id = ${principalId})`

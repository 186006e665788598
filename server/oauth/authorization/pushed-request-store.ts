import { batchedFor, inPlaces } from '../../base/core/batching'
import type { ReplayKey } from '../../base/core/call'
import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import type { PublicJwk } from '../../base/protocol/jwk'
import type { PrincipalRow } from '../../shared/principals'
import { isAgeProvenSql } from '../../wallet/age-proofs'
import { isRememberedSql } from '../../wallet/approvals'
import { agentCardSql } from '../../wallet/cards'
import { type LimitStateRow, limitStateSql, type Stop, stopSql, utcDay } from '../../wallet/limits'
import { rulingSql } from '../../wallet/merchant-rules'
import { hasLapsedSql, isListedSql } from '../../wallet/merchants'
import { insertReplayKeysSql } from '../clients'
import { isListFullSql } from '../mandates'
import type { AuthorizationRequest } from './parse-request'

type PrincipalTerms = Pick<PrincipalRow, 'erased' | 'processing_restricted' | 'approval_rule' | 'email'>

/** All facts that the outcome of a request depends on, read in one statement. */
export type RequestContext = LimitStateRow &
  PrincipalTerms & {
    active: boolean
    principal_id: string
    has_card: boolean
    /** The age that the merchant requires of buyers; null for none. */
    min_age: number | null
    /** Whether the person has proven `min_age`; true when there is none. */
    age_proven: boolean
    policy_denies: boolean
    remembered: boolean
    bought_before: boolean
    business_name: string | null
    /** Whether the directory lists the merchant as active. */
    merchant_listed: boolean
    /** Whether the federation verified the merchant before and no longer does. */
    merchant_lapsed: boolean
    pending: number
    /** The freeze of spending or pause of this agent; null when there is none. */
    stop: Stop | null
    /** Whether the status list has no free place for a mandate. */
    status_list_full: boolean
  }

interface ContextQuery {
  readonly clientId: string
  /** The purchase; null for wallet access, to which no limits apply. */
  readonly payment: AuthorizationRequest['payment']
  /** The subject under which an earlier approval would be remembered. */
  readonly subject: string
  readonly now: Date
}

const limitState = limitStateSql({
  principal: sql`p.id`,
  day: sql`q.day`,
  currency: sql`q.currency`,
  now: sql`q.now`,
  agent: sql`c.id`,
  audience: sql`q.audience`,
  amount: sql`q.amount_minor`,
  items: sql`q.line_items`,
  consent: sql`NULL`,
})

const ruling = rulingSql({ agent: sql`c`, principal: sql`p`, audience: sql`q.audience` })

const remembered = isRememberedSql({
  clientId: sql`c.id`,
  subject: sql`q.subject`,
  amount: sql`q.amount_minor`,
  currency: sql`q.currency`,
  merchantName: sql`m.business_name`,
})

const ageProven = isAgeProvenSql({ principal: sql`p.id`, age: sql`m.min_age`, now: sql`q.now` })

/** The most requests that one statement reads or writes. */
const BATCH_MAX = 50

/** Finds the context of a request; null when its client is unknown. */
export const findRequestContext = batchedFor<Database, ContextQuery, RequestContext | null>(listContexts, BATCH_MAX)

const contextColumns = {
  place: 'int',
  client_id: 'text',
  audience: 'text',
  subject: 'text',
  now: 'timestamptz',
  currency: 'text',
  amount_minor: 'bigint',
  line_items: 'jsonb',
  day: 'text',
} as const

const contextRowsOf = (queries: readonly ContextQuery[]) =>
  queries.map(({ clientId, payment, subject, now }, place) => ({
    place,
    client_id: clientId,
    audience: payment?.audience ?? null,
    subject,
    now,
    currency: payment?.currency ?? null,
    amount_minor: payment?.amount_minor ?? null,
    line_items: payment === null ? null : JSON.stringify(payment.line_items),
    day: utcDay(now),
  }))

async function listContexts(db: Queryable, queries: readonly ContextQuery[]): Promise<(RequestContext | null)[]> {
  const rows = await db.query<RequestContext & { place: number }>(
    sql`SELECT q.place, c.revoked_at IS NULL AS active, p.id AS principal_id, p.erased, p.processing_restricted, p.approval_rule, p.email,
            ${agentCardSql({ principalId: sql`p.id`, clientId: sql`c.id` })} IS NOT NULL AS has_card,
            m.min_age, ${ageProven} AS age_proven,
            ${ruling.denied} AS policy_denies,
            ${remembered} AS remembered,
            EXISTS (SELECT 1 FROM completed_payments y WHERE y.principal_id = p.id AND y.merchant_audience = q.audience) AS bought_before,
            m.business_name, ${isListedSql(sql`m`, sql`q.now`)} AS merchant_listed,
            ${hasLapsedSql(sql`q.audience`, sql`q.now`)} AS merchant_lapsed,
            (SELECT count(*)::int FROM approval_outcomes o WHERE o.principal_id = p.id AND o.client_id = c.id
                AND o.status = 'pending' AND o.expires_at > q.now) AS pending,
            ${stopSql({ principal: sql`p`, agent: sql`c` })} AS stop, ${isListFullSql} AS status_list_full,
            ${limitState.columns}
       FROM ${sql.rows('q', contextColumns, contextRowsOf(queries))}
       JOIN agents c ON c.id = q.client_id
       JOIN principal_profiles p ON p.id = c.principal_id
       ${ruling.join}
       LEFT JOIN merchant_profiles m ON m.merchant_audience = q.audience
       ${limitState.join}`,
  )
  return inPlaces(rows, queries)
}

export interface NewPushedRequest {
  readonly handleHash: string
  readonly clientId: string
  readonly principalId: string
  readonly jkt: string
  readonly jwk: PublicJwk
  readonly request: AuthorizationRequest
  readonly decision: 'approved' | 'consent' | 'access_denied' | 'setup_required'
  /** The reason of a refusal for the agent; null when it is only told of the refusal, and for other decisions. */
  readonly refusal: string | null
  /** The age that the person must still prove, if that is why setup is required; else null. */
  readonly requiredAge: number | null
  readonly authorizationId: string | null
  readonly now: Date
  readonly expiresAt: Date
}

/** A request with the replay keys of its proofs. */
interface ProvenRequest {
  readonly pushed: NewPushedRequest
  readonly keys: readonly ReplayKey[]
}

/**
 * Stores a pushed request and consumes its proofs. Returns the replay keys that were fresh; when one was not, nothing
 * is stored.
 */
export const storePushedRequest = batchedFor<Database, ProvenRequest, readonly string[]>(
  insertPushedRequests,
  BATCH_MAX,
)

/**
 * {@link storePushedRequest} for several requests, in one statement. One that shares a replay key with an earlier one
 * is not stored.
 */
export async function insertPushedRequests(
  db: Queryable,
  requests: readonly ProvenRequest[],
): Promise<(readonly string[])[]> {
  const seen = new Set<string>()
  const checked = requests.map((request) => {
    const unseen = request.keys.map(({ key }) => key).filter((key) => !seen.has(key))
    for (const key of unseen) seen.add(key)
    return { request, unseen, isFirst: unseen.length === request.keys.length }
  })
  const firsts = checked.filter(({ isFirst }) => isFirst).map(({ request }) => request)
  const fresh = new Set(await insertFirsts(db, firsts))
  return checked.map(({ unseen, isFirst }) => (isFirst ? unseen.filter((key) => fresh.has(key)) : unseen))
}

const requestColumns = {
  handle_hash: 'text',
  client_id: 'text',
  principal_id: 'text',
  jkt: 'text',
  dpop_jwk: 'jsonb',
  redirect_uri: 'text',
  state: 'text',
  code_challenge: 'text',
  scope: 'jsonb',
  resources: 'jsonb',
  authorization_details: 'jsonb',
  merchant_audience: 'text',
  decision: 'text',
  refusal: 'text',
  required_age: 'int',
  authorization_id: 'text',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
} as const

const toColumns = ({ request, ...pushed }: NewPushedRequest) => ({
  handle_hash: pushed.handleHash,
  client_id: pushed.clientId,
  principal_id: pushed.principalId,
  jkt: pushed.jkt,
  dpop_jwk: JSON.stringify(pushed.jwk),
  redirect_uri: request.redirectUri,
  state: request.state,
  code_challenge: request.codeChallenge,
  scope: JSON.stringify(request.scope),
  resources: JSON.stringify(request.resources),
  authorization_details: JSON.stringify(request.details),
  merchant_audience: request.payment?.audience ?? null,
  decision: pushed.decision,
  refusal: pushed.refusal,
  required_age: pushed.requiredAge,
  authorization_id: pushed.authorizationId,
  created_at: pushed.now,
  expires_at: pushed.expiresAt,
})

async function insertFirsts(db: Queryable, firsts: readonly ProvenRequest[]): Promise<readonly string[]> {
  const requests = firsts.map(({ pushed }, place) => ({ place, ...toColumns(pushed) }))
  const keys = firsts.flatMap((request, place) =>
    request.keys.map(({ key, expiresAt }) => ({ place, key, expires_at: expiresAt })),
  )
  const [row] = await db.query<{ fresh: string[] }>(
    sql`WITH keys AS (SELECT * FROM ${sql.rows('k', { place: 'int', key: 'text', expires_at: 'timestamptz' }, keys)}),
     fresh AS (
       ${insertReplayKeysSql(sql`SELECT key, expires_at FROM keys ORDER BY key`)}),
     stored AS (
       INSERT INTO pushed_requests (${sql.raw(Object.keys(requestColumns).join(', '))})
       SELECT ${sql.raw(Object.keys(requestColumns).join(', '))}
         FROM ${sql.rows('r', { place: 'int', ...requestColumns }, requests)}
        WHERE NOT EXISTS (SELECT 1 FROM keys WHERE keys.place = r.place AND keys.key NOT IN (SELECT key FROM fresh)))
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh`,
  )
  return row?.fresh ?? []
}

/** Finds the state of a pushed request by the hash of its handle; null when unknown, expired or consumed. */
export async function findPushedRequestState(db: Queryable, handleHash: string, now: Date) {
  const [row] = await db.query<{
    decision: NewPushedRequest['decision']
    status: 'pending' | 'approved' | 'declined' | 'withdrawn' | null
  }>(
    sql`SELECT r.decision, o.status FROM pushed_requests r LEFT JOIN approval_outcomes o USING (authorization_id)
      WHERE r.handle_hash = ${handleHash} AND r.expires_at > ${now}`,
  )
  return row ?? null
}

/** Deletes expired pushed requests. */
export function sweepPushedRequests(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('pushedRequests', now)
  return countSwept(
    db,
    sql`DELETE FROM pushed_requests WHERE handle_hash IN
       (SELECT handle_hash FROM pushed_requests WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}

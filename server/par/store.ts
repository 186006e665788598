import { consumeReplayKeysSql } from '../clients'
import type { ReplayKey } from '../core/call'
import type { Queryable } from '../core/platform'
import { type JudgedRow, judgedSql, utcDay } from '../limits'
import type { PublicJwk } from '../protocol/jwk'
import type { AuthorizationRequest } from './read-request'

/** Everything that deciding about a request needs to know, read at once. */
export interface RequestContext extends JudgedRow {
  live: boolean
  erased: boolean
  processing_restricted: boolean
  approval_rule: 'every_purchase' | 'new_merchants' | 'above_limits'
  email: string | null
  has_card: boolean
  verdict: 'allow' | 'deny' | null
  allow_list_required: boolean
  remembered: boolean
  bought_before: boolean
  business_name: string | null
  pending: number
}

interface ContextQuestion {
  readonly clientId: string
  /** Null for wallet access, which no limit concerns. */
  readonly currency: string | null
  /** Null for wallet access. */
  readonly audience: string | null
  /** What an earlier approval would have been remembered under. */
  readonly subject: string
  readonly now: Date
}

const judged = judgedSql({ principal: 'p.id', day: '$6', currency: '$5', now: '$4', agent: 'c.id', audience: '$2' })

export async function readRequestContext(db: Queryable, question: ContextQuestion): Promise<RequestContext | null> {
  const [row] = await db.query<RequestContext>(
    `SELECT c.revoked_at IS NULL AS live, p.erased, p.processing_restricted, p.approval_rule, p.email,
            EXISTS (SELECT 1 FROM card_mandates k WHERE k.principal_id = p.id AND k.status = 'active') AS has_card,
            r.verdict, coalesce(g.allow_list_required, false) AS allow_list_required,
            EXISTS (SELECT 1 FROM remembered_approvals a WHERE a.client_id = c.id AND a.subject = $3) AS remembered,
            EXISTS (SELECT 1 FROM payments y WHERE y.principal_id = p.id AND y.merchant_audience = $2) AS bought_before,
            m.business_name,
            (SELECT count(*)::int FROM consents o WHERE o.principal_id = p.id AND o.client_id = c.id
                AND o.status = 'pending' AND o.expires_at > $4) AS pending,
            ${judged.columns}
       FROM clients c
       JOIN principals p ON p.id = c.principal_id
       LEFT JOIN merchant_rules r ON r.tenant_id = c.tenant_id AND r.merchant_audience = $2 AND r.client_id = c.id
       LEFT JOIN merchant_gates g ON g.tenant_id = c.tenant_id AND g.merchant_audience = $2
       LEFT JOIN merchants m ON m.merchant_audience = $2
       ${judged.join}
      WHERE c.id = $1`,
    [question.clientId, question.audience, question.subject, question.now, question.currency, utcDay(question.now)],
  )
  return row ?? null
}

export interface NewPushedRequest {
  readonly handleHash: string
  readonly clientId: string
  readonly principalId: string
  readonly jkt: string
  readonly jwk: PublicJwk
  readonly request: AuthorizationRequest
  readonly decision: 'approved' | 'consent' | 'access_denied' | 'setup_required'
  readonly authorizationId: string | null
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Stores the pushed request and consumes the proofs that came with it, in one statement. Returns the replay keys that
 * were fresh; when one was not, nothing is stored.
 */
export async function insertPushedRequest(db: Queryable, pushed: NewPushedRequest, keys: readonly ReplayKey[]) {
  const { request } = pushed
  const [row] = await db.query<{ fresh: string[] }>(
    `WITH fresh AS (${consumeReplayKeysSql('$1', '$2')}),
     stored AS (
       INSERT INTO pushed_requests (handle_hash, client_id, principal_id, jkt, dpop_jwk, redirect_uri, state, code_challenge,
                                    scope, resources, authorization_details, decision, authorization_id, created_at, expires_at)
       SELECT $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11::jsonb, $12::jsonb, $13::jsonb, $14, $15, $16::timestamptz, $17::timestamptz
        WHERE (SELECT count(*) FROM fresh) = $18)
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh`,
    [
      keys.map((key) => key.key),
      keys.map((key) => key.expiresAt),
      pushed.handleHash,
      pushed.clientId,
      pushed.principalId,
      pushed.jkt,
      JSON.stringify(pushed.jwk),
      request.redirectUri,
      request.state,
      request.codeChallenge,
      JSON.stringify(request.scope),
      JSON.stringify(request.resources),
      JSON.stringify(request.details),
      pushed.decision,
      pushed.authorizationId,
      pushed.now,
      pushed.expiresAt,
      keys.length,
    ],
  )
  return row?.fresh ?? []
}

/** How a pushed request stands, by the hash of its handle; null when unknown, expired or consumed. */
export async function readDecision(db: Queryable, handleHash: string, now: Date) {
  const [row] = await db.query<{
    decision: NewPushedRequest['decision']
    status: 'pending' | 'approved' | 'declined' | null
  }>(
    `SELECT r.decision, c.status FROM pushed_requests r LEFT JOIN consents c USING (authorization_id)
      WHERE r.handle_hash = $1 AND r.expires_at > $2`,
    [handleHash, now],
  )
  return row ?? null
}

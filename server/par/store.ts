import type { ReplayKey } from '../core/call'
import { coalescedFor } from '../core/coalesce'
import type { Database, Queryable } from '../core/platform'
import { type JudgedRow, judgedSql, utcDay } from '../limits'
import { rulingSql } from '../policy'
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
  policy_denies: boolean
  remembered: boolean
  bought_before: boolean
  business_name: string | null
  pending: number
  /** The person does not want to be asked by this agent for now. */
  muted: boolean
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

const judged = judgedSql({
  principal: 'p.id',
  day: 'q.day',
  currency: 'q.currency',
  now: 'q.now',
  agent: 'c.id',
  audience: 'q.audience',
})

const ruling = rulingSql({ agent: 'c', principal: 'p', audience: 'q.audience' })

/** Statements about many requests; what arrives together is asked and written together. */
const ASKED_AT_ONCE = 50

/** The context of a request; null when its client is unknown. */
export const readRequestContext = coalescedFor<Database, ContextQuestion, RequestContext | null>(
  readContexts,
  ASKED_AT_ONCE,
)

async function readContexts(db: Queryable, questions: readonly ContextQuestion[]): Promise<(RequestContext | null)[]> {
  const rows = await db.query<RequestContext & { place: number }>(
    `SELECT q.place::int, c.revoked_at IS NULL AS live, p.erased, p.processing_restricted, p.approval_rule, p.email,
            EXISTS (SELECT 1 FROM card_mandates k WHERE k.principal_id = p.id AND k.status = 'active') AS has_card,
            ${ruling.denied} AS policy_denies,
            EXISTS (SELECT 1 FROM remembered_approvals a WHERE a.client_id = c.id AND a.subject = q.subject) AS remembered,
            EXISTS (SELECT 1 FROM payments y WHERE y.principal_id = p.id AND y.merchant_audience = q.audience) AS bought_before,
            m.business_name,
            (SELECT count(*)::int FROM consents o WHERE o.principal_id = p.id AND o.client_id = c.id
                AND o.status = 'pending' AND o.expires_at > q.now) AS pending,
            coalesce(c.muted_until > q.now, false) AS muted,
            ${judged.columns}
       FROM (SELECT client_id, nullif(audience, '') AS audience, subject, now, nullif(currency, '') AS currency, day, place
               FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[])
                    WITH ORDINALITY AS u (client_id, audience, subject, now, currency, day, place)) q
       JOIN clients c ON c.id = q.client_id
       JOIN principals p ON p.id = c.principal_id
       ${ruling.join}
       LEFT JOIN merchants m ON m.merchant_audience = q.audience
       ${judged.join}`,
    [
      questions.map(({ clientId }) => clientId),
      questions.map(({ audience }) => audience ?? ''),
      questions.map(({ subject }) => subject),
      questions.map(({ now }) => now),
      questions.map(({ currency }) => currency ?? ''),
      questions.map(({ now }) => utcDay(now)),
    ],
  )
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return questions.map((_, index) => byPlace.get(index + 1) ?? null)
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

interface Pushing {
  readonly pushed: NewPushedRequest
  readonly keys: readonly ReplayKey[]
}

/**
 * Stores a pushed request and consumes the proofs that came with it. Returns the replay keys that were fresh; when one was
 * not, nothing is stored.
 */
export const storePushedRequest = coalescedFor<Database, Pushing, readonly string[]>(
  insertPushedRequests,
  ASKED_AT_ONCE,
)

/** The same in one statement for several requests, none of which shares a replay key with an earlier one. */
export async function insertPushedRequests(
  db: Queryable,
  pushings: readonly Pushing[],
): Promise<(readonly string[])[]> {
  const seen = new Set<string>()
  const asked = pushings.map((pushing) => {
    const unseen = pushing.keys.map(({ key }) => key).filter((key) => !seen.has(key))
    for (const key of unseen) seen.add(key)
    return { pushing, unseen, isFirst: unseen.length === pushing.keys.length }
  })
  const firsts = asked.filter(({ isFirst }) => isFirst).map(({ pushing }) => pushing)
  const fresh = new Set(await insertFirsts(db, firsts))
  return asked.map(({ unseen, isFirst }) => (isFirst ? unseen.filter((key) => fresh.has(key)) : unseen))
}

async function insertFirsts(db: Queryable, pushings: readonly Pushing[]): Promise<readonly string[]> {
  const all = pushings.map(({ pushed }) => pushed)
  const requests = all.map(({ request }) => request)
  const keys = pushings.flatMap((pushing, index) => pushing.keys.map((key) => ({ ...key, place: index + 1 })))
  const [row] = await db.query<{ fresh: string[] }>(
    `WITH keys AS (SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::int[]) AS k (key, expires_at, place)),
     fresh AS (
       INSERT INTO replay_keys (key, expires_at) SELECT key, expires_at FROM keys ORDER BY key
       ON CONFLICT DO NOTHING RETURNING key),
     stored AS (
       INSERT INTO pushed_requests (handle_hash, client_id, principal_id, jkt, dpop_jwk, redirect_uri, state, code_challenge,
                                    scope, resources, authorization_details, decision, authorization_id, created_at, expires_at)
       SELECT handle_hash, client_id, principal_id, jkt, dpop_jwk::jsonb, redirect_uri, nullif(state, ''), code_challenge,
              scope::jsonb, resources::jsonb, authorization_details::jsonb, decision, nullif(authorization_id, ''),
              created_at, expires_at
         FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
                     $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::timestamptz[], $18::timestamptz[])
              WITH ORDINALITY AS r (handle_hash, client_id, principal_id, jkt, dpop_jwk, redirect_uri, state, code_challenge,
                                    scope, resources, authorization_details, decision, authorization_id, created_at,
                                    expires_at, place)
        WHERE NOT EXISTS (SELECT 1 FROM keys WHERE keys.place = r.place AND keys.key NOT IN (SELECT key FROM fresh)))
     SELECT coalesce((SELECT array_agg(key) FROM fresh), '{}') AS fresh`,
    [
      keys.map(({ key }) => key),
      keys.map(({ expiresAt }) => expiresAt),
      keys.map(({ place }) => place),
      all.map(({ handleHash }) => handleHash),
      all.map(({ clientId }) => clientId),
      all.map(({ principalId }) => principalId),
      all.map(({ jkt }) => jkt),
      all.map(({ jwk }) => JSON.stringify(jwk)),
      requests.map(({ redirectUri }) => redirectUri),
      requests.map(({ state }) => state ?? ''),
      requests.map(({ codeChallenge }) => codeChallenge),
      requests.map(({ scope }) => JSON.stringify(scope)),
      requests.map(({ resources }) => JSON.stringify(resources)),
      requests.map(({ details }) => JSON.stringify(details)),
      all.map(({ decision }) => decision),
      all.map(({ authorizationId }) => authorizationId ?? ''),
      all.map(({ now }) => now),
      all.map(({ expiresAt }) => expiresAt),
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

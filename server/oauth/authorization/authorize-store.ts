import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { authenticationSql, withdrawEarlySql } from '../../wallet/approvals'
import { isOwnCardRemovedSql } from '../../wallet/cards'
import { type Stop, stopSql, withdrawBumpsSql } from '../../wallet/limits'
import { type NewCode, requestColumnsSql } from './code-store'
import type { NewPushedRequest } from './pushed-request-store'

/** A pushed request that was deleted, and whether a code was stored for it. */
export type ConsumedRequest = Row<
  'PushedRequest',
  'redirect_uri' | 'state' | 'decision' | 'refusal' | 'required_age' | 'principal_id',
  { decision: NewPushedRequest['decision'] }
> & {
  status: 'pending' | 'approved' | 'declined' | 'withdrawn' | null
  /** Why the agent may not act now; null when it may. */
  stop: Stop | null
  /** Whether the agent's own card was removed, and no other was chosen for it. */
  own_card_removed: boolean
  active: boolean
  coded: boolean
}

interface Redirect {
  readonly handleHash: string
  readonly clientId: string
  /** Whether the magic-link gate is on for every person; else each person chooses. */
  readonly gateForAll: boolean
  readonly code: NewCode
}

/** SQL: whether the request was approved without the person, who must still confirm it by mail. */
const isGated = (gateForAll: boolean) =>
  sql`(r.decision = 'approved' AND (${gateForAll}::boolean OR p.magic_link_gate))`

/**
 * Reads and deletes the pushed request and, when it has been approved, stores the code, in one statement, so that only
 * one of parallel redirects gets it. An undecided approval is withdrawn. Does nothing for the request of another
 * client, and for one that waits at the magic-link gate.
 */
export async function consumePushedRequest(db: Queryable, redirect: Redirect): Promise<ConsumedRequest | null> {
  const { handleHash, clientId, gateForAll, code } = redirect
  const [row] = await db.query<ConsumedRequest>(
    sql`WITH consumed AS (
       DELETE FROM pushed_requests r USING principal_profiles p
        WHERE r.handle_hash = ${handleHash} AND r.client_id = ${clientId} AND r.expires_at > ${code.now} AND p.id = r.principal_id
          AND NOT ${isGated(gateForAll)}
       RETURNING r.*),
     outcome AS (
       SELECT r.*, o.status, confirmed.acr, confirmed.auth_time, ${stopSql({ principal: sql`p`, agent: sql`c` })} AS stop,
              ${isOwnCardRemovedSql({ principalId: sql`p.id`, clientId: sql`c.id` })} AS own_card_removed,
              (c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted) AS active
         FROM consumed r JOIN agents c ON c.id = r.client_id JOIN principal_profiles p ON p.id = r.principal_id
         LEFT JOIN approval_outcomes o ON o.authorization_id = r.authorization_id
         CROSS JOIN LATERAL ${authenticationSql({ request: sql`r`, connectedAt: sql`c.created_at` })} confirmed),
     coded AS (
       INSERT INTO authorization_codes (code_hash, ${requestColumnsSql}, authorization_id, acr, auth_time, created_at, expires_at)
       SELECT ${code.codeHash}, ${requestColumnsSql}, authorization_id, acr, auth_time, ${code.now}::timestamptz,
              ${code.expiresAt}::timestamptz
         FROM outcome WHERE active AND (decision = 'approved' OR (decision = 'consent' AND status = 'approved'))
       RETURNING code_hash),
     withdrawn AS (${withdrawEarlySql({ request: sql`consumed`, now: code.now })}),
     withdrawn_bumps AS (${withdrawBumpsSql({ withdrawn: sql`withdrawn`, now: code.now })})
     SELECT principal_id, redirect_uri, state, decision, refusal, required_age, status, stop, own_card_removed, active, EXISTS (SELECT 1 FROM coded) AS coded FROM outcome`,
  )
  return row ?? null
}

/** Finds client and person of a pushed request, and whether it waits at the gate; null when unknown or expired. */
export async function findPushedRequest(
  db: Queryable,
  { handleHash, gateForAll, now }: { handleHash: string; gateForAll: boolean; now: Date },
): Promise<(Row<'PushedRequest', 'client_id' | 'principal_id'> & { gated: boolean }) | null> {
  const [row] = await db.query<Row<'PushedRequest', 'client_id' | 'principal_id'> & { gated: boolean }>(
    sql`SELECT r.client_id, r.principal_id, ${isGated(gateForAll)} AS gated
       FROM pushed_requests r JOIN principal_profiles p ON p.id = r.principal_id
      WHERE r.handle_hash = ${handleHash} AND r.expires_at > ${now}`,
  )
  return row ?? null
}

import { ServiceError } from '../../base/core/errors'
import { stateIn } from '../../base/core/settlement-state'
import { type Sql, sql } from '../../base/core/sql'
import type { MandateRow } from '../../oauth/mandates'
import { FAILED_OF_AGENT_MAX, FAILED_OF_MANDATE_MAX, FAILED_WINDOW_SECONDS } from './bounds'

/**
 * The failed attempts of the last hour. A mandate lives no longer (`MANDATE_TTL_SECONDS` is at most 3600), so all of its
 * own are among them.
 */
export interface FailedAttempts {
  /** The number of attempts to charge this mandate. */
  readonly failed_of_mandate: number
  /** When the agent made the oldest of as many attempts as may fail in an hour; null after fewer. */
  readonly failed_since: Date | null
}

/** SQL expressions of the agent's id, the mandate's id and the time, in the statement that reads the failed attempts. */
interface FailedAttemptsParts {
  readonly agent: Sql
  readonly mandate: Sql
  readonly now: Sql
}

/** Returns the columns of {@link FailedAttempts} and the join that they need. */
export function failedAttemptsSql({ agent, mandate, now }: FailedAttemptsParts): {
  readonly columns: Sql
  readonly join: Sql
} {
  return {
    columns: sql`failed.failed_of_mandate, failed.failed_since`,
    join: sql`CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE s.mandate_id = ${mandate}) AS failed_of_mandate,
              (array_agg(s.reserved_at ORDER BY s.reserved_at DESC))[${FAILED_OF_AGENT_MAX}::int] AS failed_since
         FROM settlements s
        WHERE s.client_id = ${agent} AND s.state ${stateIn(['failed'])}
          AND s.reserved_at > ${now} - make_interval(secs => ${FAILED_WINDOW_SECONDS}::int)) failed`,
  }
}

/**
 * Throws 429 rate_limited when too many charges of the mandate or of the agent have failed, so that an agent neither
 * tests cards nor floods a person with messages. Attempts that are under way are not counted.
 */
export function requireFewFailures(
  { failed_of_mandate: ofMandate, failed_since: since }: FailedAttempts,
  { mandate, now }: { readonly mandate: Pick<MandateRow, 'expires_at'>; readonly now: Date },
): void {
  if (ofMandate >= FAILED_OF_MANDATE_MAX) {
    throw buildTooManyError('Too many charges of this mandate have failed.', { until: mandate.expires_at, now })
  }
  if (since !== null) {
    const until = new Date(since.getTime() + FAILED_WINDOW_SECONDS * 1000)
    throw buildTooManyError('Too many charges of this agent have failed.', { until, now })
  }
}

function buildTooManyError(message: string, { until, now }: { readonly until: Date; readonly now: Date }) {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return new ServiceError('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}

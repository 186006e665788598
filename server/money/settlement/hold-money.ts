import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { MandateRow } from '../../oauth/mandates'
import {
  boundsSql,
  fittingSql,
  type Grant,
  holdAgentSpendSql,
  holdSpendSql,
  takeGrantSql,
  utcDay,
  type Windows,
} from '../../wallet/limits'
import { SUBMISSION_LEASE_SECONDS } from './bounds'
import { moves } from './states'
import { detailsSql, type SettlementDetails } from './store'

export interface ReservationRequest {
  readonly mandate: MandateRow
  /** The token families that must be active: the mandate's, and that of the access token in the request. */
  readonly familyIds: readonly string[]
  readonly idempotencyKey: string
  readonly requestDigest: string
  readonly connectedAccountId: string | null
  readonly applicationFeeMinor: number
  /** The mandate as it was presented, stored as evidence. */
  readonly presentation: string
  readonly now: Date
}

/** A request that passed admission, with the results of admission. */
interface AdmittedRequest {
  readonly cardId: string
  /** The account that receives the money, from the directory and not from the request; null when there is none. */
  readonly connectedAccountId: string | null
  readonly grant: Grant | null
  /** The week and month in which the limits were evaluated. */
  readonly windows: Windows
}

export interface IdentifiedReservation extends Omit<ReservationRequest, 'presentation'> {
  readonly settlementId: string
  readonly sealedPresentation: string
}

/**
 * Holds the amount in both of the day's counters, uses the grant and inserts the settlement. Checks the caps and counts
 * of wallet and agent, their currencies and the grant once more in SQL; if that disagrees with the evaluation, no
 * settlement is inserted and the caller must roll back. Returns the settlement, or null.
 */
export async function holdMoney(
  tx: Transaction,
  request: IdentifiedReservation,
  { cardId, connectedAccountId, grant, windows }: AdmittedRequest,
): Promise<SettlementDetails | null> {
  const { mandate, now } = request
  const leaseUntil = new Date(now.getTime() + SUBMISSION_LEASE_SECONDS * 1000)
  const [row] = await tx.query<SettlementDetails>(sql`WITH payment AS (
       SELECT ${request.settlementId}::text AS settlement_id, ${mandate.principal_id}::text AS principal_id,
              ${mandate.client_id}::text AS client_id, ${mandate.amount_minor}::bigint AS amount_minor,
              ${mandate.currency}::text AS currency, ${utcDay(now)}::date AS day, ${now}::timestamptz AS now,
              ${grant?.bumpId ?? null}::text AS bump_id),
     bounds AS (${boundsSql({ payment: sql`payment`, grant })}),
     fitting AS (${fittingSql({ bounds: sql`bounds`, windows })}),
     held AS (${holdSpendSql({ payment: sql`fitting`, bounds: sql`bounds` })}),
     held_of_agent AS (${holdAgentSpendSql({ payment: sql`payment`, bounds: sql`bounds`, held: sql`held` })}),
     taken AS (${takeGrantSql({ payment: sql`payment` })}),
     reserved AS (
     INSERT INTO settlements (id, principal_id, client_id, tenant_id, mandate_id, amount_minor, currency, merchant_audience,
                              idempotency_key, request_digest, connected_account_id, application_fee_minor, card_id, day,
                              reserved_at, lease_until, limit_bump_id, sealed_presentation, state)
     SELECT settlement_id, principal_id, client_id, ${mandate.tenant_id}, ${mandate.id}, amount_minor, currency,
            ${mandate.merchant_audience}, ${request.idempotencyKey}, ${request.requestDigest}, ${connectedAccountId},
            ${request.applicationFeeMinor}::bigint, ${cardId}, day, now, ${leaseUntil}::timestamptz, bump_id,
            ${request.sealedPresentation}, ${moves.reserve.to}
       FROM payment WHERE EXISTS (SELECT 1 FROM held_of_agent) AND (bump_id IS NULL OR EXISTS (SELECT 1 FROM taken))
     ON CONFLICT DO NOTHING RETURNING *)
     ${detailsSql(sql`reserved s`)}`)
  return row ?? null
}

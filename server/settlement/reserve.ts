import { requireApproval } from '../consent'
import { ServiceError } from '../core/errors'
import { invariant } from '../core/invariant'
import type { Platform, Transaction } from '../core/platform'
import {
  type ExceededLimit,
  excessOf,
  type Grant,
  judge,
  type LimitKind,
  type LimitScope,
  toJudged,
  utcDay,
} from '../limits'
import type { MandateRow } from '../mandates'
import { lockPrincipal } from '../principals'
import { admit, readAdmission } from './admission'
import { SUBMISSION_LEASE_SECONDS } from './bounds'

export interface ReservationOrder {
  readonly mandate: MandateRow
  /** Token families that must live: the mandate's, and that of the token it came with. */
  readonly familyIds: readonly string[]
  readonly idempotencyKey: string
  readonly requestDigest: string
  readonly connectedAccountId: string | null
  readonly applicationFeeMinor: number
  readonly now: Date
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly settlementId: string }
  /** The idempotency key turned out to be known. */
  | { readonly kind: 'known' }
  | { readonly kind: 'exceeded'; readonly exceeded: ExceededLimit }

/**
 * Admits the order and holds its money, in one transaction under the principal's lock: of any number of settlements at
 * once, those that fit the limits pass and no other. Refusals leave nothing behind.
 */
export function reserve(platform: Platform, order: ReservationOrder): Promise<Reservation> {
  const settlementId = platform.random.uuid()
  return platform.db.transaction((tx) => reserveWithin(tx, platform, { ...order, settlementId }))
}

type Numbered = ReservationOrder & { readonly settlementId: string }

async function reserveWithin(tx: Transaction, platform: Platform, order: Numbered): Promise<Reservation> {
  const { mandate, now } = order
  // A statement of its own: under READ COMMITTED the next one sees what was committed while this one waited.
  await lockPrincipal(tx, mandate.principal_id)
  const facts = await readAdmission(tx, {
    mandateId: mandate.id,
    familyIds: order.familyIds,
    idempotencyKey: order.idempotencyKey,
    switchDefault: platform.config.switchDefaults.settlement,
    now,
  })
  invariant(facts !== null, 'a verified mandate has a row')
  if (facts.key_known) return { kind: 'known' }
  const { cardId } = admit(facts, order)
  await requireApproval(platform.config, mandate, facts.approval)
  const judgement = judge(toJudged(facts), { amountMinor: mandate.amount_minor, currency: mandate.currency })
  if (judgement.outcome === 'currency_mismatch') {
    throw new ServiceError(
      'limit_currency_mismatch',
      `The limits of this ${judgement.scope} are in ${judgement.currency}.`,
    )
  }
  if (judgement.outcome === 'exceeded') return { kind: 'exceeded', exceeded: judgement }
  const held = await holdMoney(tx, order, { cardId, grants: judgement.grants })
  invariant(held, 'a payment that was judged under the lock fits the limits')
  return { kind: 'reserved', settlementId: order.settlementId }
}

/**
 * Holds the amount in both of the day's counters, takes the grants and writes the settlement, checking the caps and counts
 * of wallet and agent and the grants once more: where judgement and bounds disagreed, no settlement would be written.
 */
const holdMoneySql = `WITH bounds AS (
       SELECT l.daily_cap_minor + $17::bigint AS daily_cap, l.single_txn_cap_minor + $18::bigint AS single_cap,
              l.velocity_count + $19::bigint AS velocity, l.velocity_window_seconds,
              a.daily_cap_minor + $21::bigint AS agent_daily_cap, a.single_txn_cap_minor + $22::bigint AS agent_single_cap,
              a.velocity_count + $23::bigint AS agent_velocity, a.velocity_window_seconds AS agent_window_seconds
         FROM (SELECT 1) always LEFT JOIN wallet_limits l ON l.principal_id = $2
         LEFT JOIN agent_limits a ON a.client_id = $3),
     fits AS (
       SELECT 1 FROM bounds
        WHERE coalesce($6 <= least(single_cap, agent_single_cap, daily_cap, agent_daily_cap), true)
          AND (velocity IS NULL OR velocity > (
            SELECT count(*) FROM settlements s
             WHERE s.principal_id = $2 AND s.state <> 'failed'
               AND s.reserved_at > $15::timestamptz - make_interval(secs => velocity_window_seconds)))
          AND (agent_velocity IS NULL OR agent_velocity > (
            SELECT count(*) FROM settlements s
             WHERE s.client_id = $3 AND s.state <> 'failed'
               AND s.reserved_at > $15::timestamptz - make_interval(secs => agent_window_seconds)))),
     held AS (
       INSERT INTO spend_counters AS c (principal_id, day, currency, reserved_minor)
       SELECT $2, $14::date, $7, $6::bigint FROM fits
       ON CONFLICT (principal_id, day, currency) DO UPDATE SET reserved_minor = c.reserved_minor + excluded.reserved_minor
         WHERE (SELECT daily_cap FROM bounds) IS NULL
            OR c.spent_minor + c.reserved_minor + excluded.reserved_minor <= (SELECT daily_cap FROM bounds)
       RETURNING 1),
     held_of_agent AS (
       INSERT INTO agent_spend_counters AS c (client_id, day, currency, reserved_minor)
       SELECT $3, $14::date, $7, $6::bigint FROM held
       ON CONFLICT (client_id, day, currency) DO UPDATE SET reserved_minor = c.reserved_minor + excluded.reserved_minor
         WHERE (SELECT agent_daily_cap FROM bounds) IS NULL
            OR c.spent_minor + c.reserved_minor + excluded.reserved_minor <= (SELECT agent_daily_cap FROM bounds)
       RETURNING 1),
     taken AS (
       UPDATE limit_bumps SET used_by = $1
        WHERE id = ANY ($20::text[]) AND status = 'approved' AND used_by IS NULL RETURNING id)
     INSERT INTO settlements (id, principal_id, client_id, tenant_id, mandate_id, amount_minor, currency, merchant_audience,
                              idempotency_key, request_digest, connected_account_id, application_fee_minor, card_id, day,
                              reserved_at, lease_until, limit_bump_id, state)
     SELECT $1, $2, $3, $4, $5, $6::bigint, $7, $8, $9, $10, $11, $12::bigint, $13, $14::date, $15, $16, ($20::text[])[1], 'reserved'
      WHERE EXISTS (SELECT 1 FROM held_of_agent) AND (SELECT count(*) FROM taken) = cardinality($20::text[])
     ON CONFLICT DO NOTHING RETURNING id`

async function holdMoney(
  tx: Transaction,
  order: Numbered,
  { cardId, grants }: { cardId: string; grants: readonly Grant[] },
): Promise<boolean> {
  const { mandate, now } = order
  const rows = await tx.query(holdMoneySql, [
    order.settlementId,
    mandate.principal_id,
    mandate.client_id,
    mandate.tenant_id,
    mandate.id,
    mandate.amount_minor,
    mandate.currency,
    mandate.merchant_audience,
    order.idempotencyKey,
    order.requestDigest,
    order.connectedAccountId,
    order.applicationFeeMinor,
    cardId,
    utcDay(now),
    now,
    new Date(now.getTime() + SUBMISSION_LEASE_SECONDS * 1000),
    ...excessesFor('wallet', grants),
    grants.map((grant) => grant.bumpId),
    ...excessesFor('agent', grants),
  ])
  return rows.length === 1
}

/** By how much the grants lift the daily cap, the cap per payment and the count of one of the two. */
function excessesFor(scope: LimitScope, grants: readonly Grant[]): number[] {
  const kinds: readonly LimitKind[] = ['daily_cap', 'single_txn_cap', 'velocity']
  return kinds.map((kind) =>
    grants
      .filter((grant) => grant.scope === scope && grant.kind === kind)
      .reduce((sum, grant) => sum + excessOf(grant), 0),
  )
}

import { buildBarredError, buildSwitchedOffError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { Config, Queryable } from '../../base/core/platform'
import { releasedStates, stateIn } from '../../base/core/settlement-state'
import { sql } from '../../base/core/sql'
import { isSwitchOnSql } from '../../base/platform/switches'
import type { MandateRow } from '../../oauth/mandates'
import { isAnyFamilyRevokedSql } from '../../oauth/tokens'
import { type Approval, approvalSql } from '../../wallet/approvals'
import { agentCardSql, isOwnCardRemovedSql, OWN_CARD_REMOVED } from '../../wallet/cards'
import { type LimitStateRow, limitStateSql, requireNoStop, type Stop, stopSql, utcDay } from '../../wallet/limits'
import { rulingSql } from '../../wallet/merchant-rules'
import { feeLimit, isListedSql } from '../../wallet/merchants'
import { type FailedAttempts, failedAttemptsSql, requireFewFailures } from './failed-attempts'
import { agreedItemsSql } from './store'

/** The facts that the reserving transaction reads under the person's lock, with the limits and their use. */
export interface AdmissionFacts extends LimitStateRow, FailedAttempts {
  readonly switch_on: boolean
  readonly in_time: boolean
  readonly revoked: boolean
  readonly erased: boolean
  readonly restricted: boolean
  /** The stop by which the person froze spending or paused the agent; null when there is none. */
  readonly stop: Stop | null
  readonly policy_denies: boolean
  readonly key_known: boolean
  readonly settled_under: string | null
  /** The card that the agent pays with: its own card, otherwise the default. Null when there is none. */
  readonly card_id: string | null
  /** Whether the agent has no card because its own was removed. */
  readonly own_card_removed: boolean
  /** Null when the merchant registered none, or is not in the directory. */
  readonly connected_account_id: string | null
  /** Null when the merchant is not in the directory. */
  readonly max_application_fee_bps: number | null
  /** Whether the directory lists the merchant as active. */
  readonly merchant_listed: boolean
  /** The person's approval in the portal; null for a mandate that needed none. */
  readonly approval: Approval | null
}

export interface AdmissionQuery {
  readonly mandateId: string
  readonly familyIds: readonly string[]
  readonly idempotencyKey: string
  readonly switchDefault: boolean
  readonly now: Date
}

const ruling = rulingSql({ agent: sql`c`, principal: sql`p`, audience: sql`d.merchant_audience` })
const failedAttempts = failedAttemptsSql({ agent: sql`c.id`, mandate: sql`d.id`, now: sql`asked.now` })
const limitState = limitStateSql({
  principal: sql`p.id`,
  day: sql`asked.day`,
  currency: sql`d.currency`,
  now: sql`asked.now`,
  agent: sql`c.id`,
  audience: sql`d.merchant_audience`,
  amount: sql`d.amount_minor`,
  items: agreedItemsSql(sql`d.family_id`),
  consent: sql`(SELECT o.authorization_id FROM approval_outcomes o WHERE o.mandate_id = d.id)`,
})

/** Reads everything that admission checks, in one statement; returns null when the mandate has no row. */
export async function readAdmission(tx: Queryable, query: AdmissionQuery): Promise<AdmissionFacts | null> {
  const { mandateId, familyIds, idempotencyKey, switchDefault, now } = query
  const [row] = await tx.query<AdmissionFacts>(
    sql`SELECT
       ${isSwitchOnSql('settlement', switchDefault)} AS switch_on,
       d.expires_at > asked.now AS in_time,
       (d.revoked_at IS NOT NULL OR c.revoked_at IS NOT NULL
         OR ${isAnyFamilyRevokedSql(familyIds)}) AS revoked,
       p.erased, p.processing_restricted AS restricted,
       ${stopSql({ principal: sql`p`, agent: sql`c` })} AS stop,
       ${ruling.denied} AS policy_denies,
       EXISTS (SELECT 1 FROM settlements s WHERE s.client_id = d.client_id AND s.idempotency_key = ${idempotencyKey}) AS key_known,
       (SELECT s.id FROM settlements s WHERE s.mandate_id = d.id AND s.state NOT ${stateIn(releasedStates)}) AS settled_under,
       ${agentCardSql({ principalId: sql`p.id`, clientId: sql`c.id` })} AS card_id,
       ${isOwnCardRemovedSql({ principalId: sql`p.id`, clientId: sql`c.id` })} AS own_card_removed, m.connected_account_id, m.max_application_fee_bps, ${isListedSql(sql`m`, sql`asked.now`)} AS merchant_listed,
       ${approvalSql({ mandate: sql`d` })} AS approval,
       ${failedAttempts.columns},
       ${limitState.columns}
     FROM (SELECT ${now}::timestamptz AS now, ${utcDay(now)}::text AS day) asked
     JOIN mandate_terms d ON d.id = ${mandateId} JOIN agents c ON c.id = d.client_id
     JOIN principal_profiles p ON p.id = d.principal_id
     LEFT JOIN merchant_profiles m ON m.merchant_audience = d.merchant_audience
     ${ruling.join}
     ${failedAttempts.join}
     ${limitState.join}`,
  )
  return row ?? null
}

/** The members of a settlement request that admission checks. */
interface ReservationTerms {
  readonly mandate: Pick<MandateRow, 'amount_minor' | 'expires_at'>
  readonly now: Date
  readonly connectedAccountId: string | null
  readonly applicationFeeMinor: number
  /** The highest fee, in basis points, for a merchant that is not in the directory or has no account. */
  readonly defaultFeeBps: number
  readonly unlistedMerchants: Config['unlistedMerchants']
}

type Check = (facts: AdmissionFacts, terms: ReservationTerms) => void

/** The checks in the order of their answers: first who may act, then what has happened already, then this request. */
const checks: readonly Check[] = [
  requireSettlementSwitch,
  requireActiveMandate,
  requireUnrestrictedPrincipal,
  requireUnsettledMandate,
  ({ stop }) => requireNoStop(stop),
  requireAllowedMerchant,
  requireListedMerchant,
  requireRegisteredAccount,
  requireFeeWithinMaximum,
  requireFewFailures,
]

/**
 * Returns the card to charge and the account to pay, or throws the refusal of the first check that fails. Requests
 * under a known idempotency key are replayed and never get here.
 */
export function admit(
  facts: AdmissionFacts,
  terms: ReservationTerms,
): { readonly cardId: string; readonly connectedAccountId: string | null } {
  for (const check of checks) check(facts, terms)
  if (facts.card_id === null) throw buildNoCardError(facts)
  return { cardId: facts.card_id, connectedAccountId: facts.connected_account_id }
}

const buildNoCardError = ({ own_card_removed: isOwnRemoved }: AdmissionFacts) =>
  new ServiceError('card_required', isOwnRemoved ? OWN_CARD_REMOVED : 'The person has no card that can be charged.')

function requireSettlementSwitch({ switch_on }: AdmissionFacts): void {
  if (!switch_on) throw buildSwitchedOffError()
}

/** Returns 401 invalid_token. */
export const buildRevokedMandateError = () => new ServiceError('invalid_token', 'The mandate has been revoked.')

function requireActiveMandate({ in_time, revoked, erased }: AdmissionFacts): void {
  if (revoked || erased) throw buildRevokedMandateError()
  if (!in_time) throw new ServiceError('invalid_token', 'The mandate has expired.')
}

function requireUnrestrictedPrincipal({ restricted }: AdmissionFacts): void {
  if (restricted) throw buildBarredError({ status: 403 })
}

function requireUnsettledMandate({ settled_under }: AdmissionFacts): void {
  if (settled_under !== null) {
    throw new ServiceError('mandate_consumed', 'The mandate was settled under another idempotency key.')
  }
}

function requireAllowedMerchant({ policy_denies }: AdmissionFacts): void {
  if (policy_denies) throw new ServiceError('forbidden', 'A rule about this merchant does not allow this agent.')
}

function requireListedMerchant({ merchant_listed }: AdmissionFacts, { unlistedMerchants }: ReservationTerms): void {
  if (merchant_listed || unlistedMerchants === 'allow') return
  throw new ServiceError('forbidden', 'The merchant is no longer an active merchant of the directory.')
}

/**
 * Throws 403 when the request names another account than the merchant registered: DPoP does not cover the body, which
 * could be changed.
 */
function requireRegisteredAccount(facts: AdmissionFacts, { connectedAccountId }: ReservationTerms): void {
  if (connectedAccountId !== null && connectedAccountId !== facts.connected_account_id) {
    throw new ServiceError(
      'forbidden',
      "The connected account is not the registered account of the mandate's merchant.",
    )
  }
}

/**
 * Throws 403 when the fee exceeds the merchant's maximum, or the operator's for a merchant outside the directory.
 * The fee is taken from what the merchant's account receives, so without an account the operator's maximum applies too.
 */
function requireFeeWithinMaximum(
  { connected_account_id: account, max_application_fee_bps: allowed }: AdmissionFacts,
  { mandate, applicationFeeMinor, defaultFeeBps }: ReservationTerms,
): void {
  const most = account === null ? defaultFeeBps : Infinity
  const bps = Math.min(allowed ?? defaultFeeBps, most)
  if (applicationFeeMinor <= feeLimit(mandate.amount_minor, bps)) return
  throw new ServiceError('forbidden', 'The application fee is more than the merchant allows.')
}

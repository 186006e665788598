import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Platform, Transaction } from '../../base/core/platform'
import { lockPrincipal } from '../../shared/principals'
import { requireApproval } from '../../wallet/approvals'
import { describeMismatch, type Exceeds, evaluateLimits, readLimitState } from '../../wallet/limits'
import { defaultFeeBps } from '../../wallet/merchants'
import { admit, readAdmission } from './admission'
import { holdMoney, type IdentifiedReservation, type ReservationRequest } from './hold-money'
import { sealPresentation } from './sealed-presentation'
import type { SettlementDetails } from './store'

export type Reservation =
  | { readonly kind: 'reserved'; readonly settlement: SettlementDetails }
  /** The idempotency key is known already. */
  | { readonly kind: 'known' }
  | { readonly kind: 'exceeded'; readonly exceeds: Exceeds }

/**
 * Admits the request and holds its money, in one transaction under the principal's lock, so that concurrent settlements
 * never exceed the limits together. A refusal leaves nothing behind.
 */
export function reserve(platform: Platform, request: ReservationRequest): Promise<Reservation> {
  const settlementId = platform.random.uuid()
  const { presentation, ...rest } = request
  const sealedPresentation = sealPresentation(platform, settlementId, presentation)
  return platform.db.transaction((tx) => reserveWithin(tx, platform, { ...rest, settlementId, sealedPresentation }))
}

async function reserveWithin(
  tx: Transaction,
  platform: Platform,
  request: IdentifiedReservation,
): Promise<Reservation> {
  const { mandate, now } = request
  const [, facts] = await Promise.all([
    lockPrincipal(tx, mandate.principal_id),
    // A separate statement: under READ COMMITTED it sees what was committed while the first one waited.
    readAdmission(tx, {
      mandateId: mandate.id,
      familyIds: request.familyIds,
      idempotencyKey: request.idempotencyKey,
      switchDefault: platform.config.switchDefaults.settlement,
      now,
    }),
  ])
  invariant(facts !== null, 'a verified mandate has a row')
  if (facts.key_known) return { kind: 'known' }
  const { unlistedMerchants } = platform.config
  const admitted = admit(facts, { ...request, unlistedMerchants, defaultFeeBps: defaultFeeBps(platform.config) })
  await requireApproval(platform, mandate, facts.approval)
  const { currency, amount_minor: amountMinor } = mandate
  const subject = { principalId: mandate.principal_id, agentClientId: mandate.client_id, currency, now }
  const limitState = await readLimitState(tx, facts, subject)
  const evaluation = evaluateLimits(limitState, { amountMinor, currency })
  if (evaluation.outcome === 'currency_mismatch') {
    throw new ServiceError('limit_currency_mismatch', describeMismatch(evaluation))
  }
  if (evaluation.outcome === 'exceeded') return { kind: 'exceeded', exceeds: evaluation.exceeds }
  const held = await holdMoney(tx, request, { ...admitted, grant: evaluation.grant, windows: limitState.windows })
  invariant(held !== null, 'a payment that was evaluated under the lock fits the limits')
  return { kind: 'reserved', settlement: held }
}

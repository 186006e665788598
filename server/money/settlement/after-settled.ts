import type { Platform, Transaction } from '../../base/core/platform'
import type { AuditRecord } from '../../shared/audit'
import { prepareMessages } from '../../shared/notifications'
import { describeOutcome, type FinalOutcome } from './answers'
import { prepareNearLimitNotices } from './notify-near-limit'
import type { SettlementDetails } from './store'

/** An outcome, signed and rendered before the transaction that writes it. */
export interface PreparedOutcome {
  readonly settlement: SettlementDetails
  readonly outcome: FinalOutcome
  readonly settledAt: Date
  /** The answer to the request as JSON. */
  readonly response: string
  /** The signed receipt; null for a failure. */
  readonly receiptJws: string | null
}

/**
 * A step that reads what it needs together with the statement of the outcome, and returns a function that runs if the
 * outcome was written.
 */
type AfterSettled = (tx: Transaction, platform: Platform, prepared: PreparedOutcome) => Promise<() => Promise<unknown>>

/**
 * The steps that follow an outcome, in the transaction that writes it. Their writes may wait for no lock but those of
 * transactions about the same settlement or person, since the tenant's audit head is locked by then (order of locks:
 * docs/ARCHITECTURE.md).
 */
export const afterSettled: readonly AfterSettled[] = [prepareNotice, prepareNearLimitNotices]

/** The path of the portal's list of failed payments with reasons; only payments that succeeded have their own page. */
const FAILED_PAYMENTS = '/activity?event=oid4ac.payment.failed'

function prepareNotice(
  tx: Transaction,
  platform: Platform,
  { settlement, outcome, settledAt }: PreparedOutcome,
): Promise<() => Promise<unknown>> {
  const link =
    outcome.status === 'succeeded'
      ? `${platform.config.baseUrl}/payments/${outcome.paymentIntentId}`
      : `${platform.config.baseUrl}${FAILED_PAYMENTS}`
  const call = { platform, now: settledAt }
  return prepareMessages(tx, call, {
    eventKey: `payment:${settlement.id}`,
    event: 'payments',
    principalId: settlement.principal_id,
    email: settlement.email,
    compose: (words) => {
      const { subject, text } = describeOutcome(settlement, outcome, words)
      return { subject, text: `${text}\n\n${link}` }
    },
    links: [link],
  })
}

/** Returns the audit entry of an outcome. */
export function toRecord({ settlement, outcome, settledAt }: PreparedOutcome): AuditRecord {
  const about = {
    tenantId: settlement.tenant_id,
    principalId: settlement.principal_id,
    actor: { kind: 'agent', id: settlement.client_id },
    now: settledAt,
  } as const
  const payload = {
    mandate_id: settlement.mandate_id,
    amount_minor: settlement.amount_minor,
    currency: settlement.currency,
    merchant_audience: settlement.merchant_audience,
  }
  if (outcome.status === 'succeeded') {
    return {
      ...about,
      event: 'oid4ac.payment.succeeded',
      payload: { ...payload, payment_intent_id: outcome.paymentIntentId },
    }
  }
  return {
    ...about,
    event: 'oid4ac.payment.failed',
    payload: {
      ...payload,
      payment_intent_id: outcome.paymentIntentId ?? settlement.payment_intent_id,
      settlement_id: settlement.id,
      failure_code: outcome.code,
    },
  }
}

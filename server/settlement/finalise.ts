import { type AuditRecord, recordAudit } from '../audit'
import { failpoint } from '../core/failpoints'
import { invariant } from '../core/invariant'
import type { Platform, Transaction } from '../core/platform'
import { notify } from '../notifications'
import { recordPayment } from '../payments'
import { describeOutcome, type FinalOutcome, renderFailure, renderSuccess } from './answers'
import { findSettlement, type SettlementDetails, type Standing, writeOutcome } from './store'
import { tellNearLimit } from './tell-near-limit'

/** An outcome with everything that goes with it, ready to be written: signed and rendered before the transaction. */
export interface PreparedOutcome {
  readonly settlement: SettlementDetails
  readonly outcome: FinalOutcome
  readonly settledAt: Date
  readonly response: string
  readonly receiptJws: string | null
}

/** Signs and renders what an outcome needs. Whether it is still wanted shows when it is applied. */
export function prepareOutcome(
  platform: Platform,
  settlement: SettlementDetails,
  outcome: FinalOutcome,
): PreparedOutcome {
  const settledAt = platform.clock.now()
  if (outcome.status === 'failed') {
    const response = renderFailure(settlement.id, outcome.code)
    return { settlement, outcome, settledAt, response, receiptJws: null }
  }
  const { body, receiptJws } = renderSuccess(platform, settlement, {
    paymentIntentId: outcome.paymentIntentId,
    settledAt,
  })
  return { settlement, outcome, settledAt, response: body, receiptJws }
}

/**
 * Writes an outcome with its counters, payment, messages and audit entry, unless the settlement has one already or the
 * payment intent is not its own; of several callers with the same news one writes. Returns whether this one did.
 */
export async function applyOutcome(tx: Transaction, platform: Platform, prepared: PreparedOutcome): Promise<boolean> {
  const { settlement, outcome, settledAt, response, receiptJws } = prepared
  const written = await writeOutcome(tx, {
    id: settlement.id,
    state: outcome.status,
    paymentIntentId: outcome.paymentIntentId,
    failureCode: outcome.status === 'failed' ? outcome.code : null,
    response,
    settledAt,
    onlyIfNeverSubmitted: outcome.status === 'failed' && outcome.neverSubmitted === true,
    isClosed: outcome.status === 'failed' && outcome.closed === true,
  })
  if (!written) return false
  if (outcome.status === 'succeeded') {
    invariant(receiptJws !== null, 'a success has a receipt')
    await recordPayment(tx, {
      paymentIntentId: outcome.paymentIntentId,
      settlementId: settlement.id,
      principalId: settlement.principal_id,
      tenantId: settlement.tenant_id,
      clientId: settlement.client_id,
      mandateId: settlement.mandate_id,
      merchantAudience: settlement.merchant_audience,
      amountMinor: settlement.amount_minor,
      currency: settlement.currency,
      processedAt: settledAt,
      receiptJws,
    })
  }
  await tellPrincipal(tx, platform, prepared)
  if (outcome.status === 'succeeded') await tellNearLimit(tx, platform, prepared)
  await recordAudit(tx, toRecord(prepared))
  return true
}

/** Where the portal tells of payments that failed, with the reason: a page of its own has only what was paid. */
const FAILED_PAYMENTS = '/activity?event=oid4ac.payment.failed'

async function tellPrincipal(
  tx: Transaction,
  platform: Platform,
  { settlement, outcome, settledAt }: PreparedOutcome,
): Promise<void> {
  const { subject, text } = describeOutcome(settlement, outcome)
  const link =
    outcome.status === 'succeeded'
      ? `${platform.config.baseUrl}/payments/${outcome.paymentIntentId}`
      : `${platform.config.baseUrl}${FAILED_PAYMENTS}`
  const call = { platform, now: settledAt }
  await notify(tx, call, {
    eventKey: `payment:${settlement.id}`,
    event: 'payments',
    principalId: settlement.principal_id,
    email: settlement.email,
    subject,
    text: `${text}\n\n${link}`,
    links: [link],
  })
}

function toRecord({ settlement, outcome, settledAt }: PreparedOutcome): AuditRecord {
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

/**
 * Gives a settlement its outcome, in a transaction of its own, and returns it as it then stands. An outcome that was
 * written before stays, and so does its answer.
 */
export async function finaliseSettlement(
  platform: Platform,
  settlement: SettlementDetails,
  outcome: FinalOutcome,
): Promise<Standing | null> {
  const prepared = prepareOutcome(platform, settlement, outcome)
  const written = await platform.db.transaction(async (tx) => {
    const isFirst = await applyOutcome(tx, platform, prepared)
    await failpoint('settle.before_outcome_commit')
    return isFirst
  })
  await failpoint('settle.after_outcome_commit')
  if (!written) return findSettlement(platform.db, settlement.id)
  await platform.cache.publish(`principal:${settlement.principal_id}`)
  return { id: settlement.id, state: outcome.status, response: prepared.response, action_until: null }
}

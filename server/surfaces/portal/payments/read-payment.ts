import { encodeQR } from 'qr'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { PROCESS_CLOCKS_APART_SECONDS } from '../../../base/protocol/lifetimes'
import { type PaymentDetail, readPayment } from '../../../money/payments'
import { listPaymentEntries, type PaymentEntryRow } from '../../../shared/audit'
import { renderPayment } from '../shared/render-payment'
import type { readPaymentProcedure } from './contract'
import { findPaymentContext, type PaymentContext } from './store'
import type { PaymentDetailView, TimelineStep } from './view'

/**
 * The margin for clocks that differ: the chain's time never decreases, so entries after one of a fast clock are dated
 * late.
 */
const CLOCKS_APART_MS = 3_600_000

/** Returns all details of one payment: its history, its items, why it was allowed, and its proofs. */
export async function readPaymentDetail(
  call: WalletCall,
  input: ProcedureInput<typeof readPaymentProcedure>,
): Promise<PaymentDetailView> {
  const { db } = call.platform
  const payment = await readPayment(call, { payment_intent_id: input.id })
  const context = await findPaymentContext(db, call.actor.principalId, {
    paymentIntentId: input.id,
    now: call.now,
  })
  if (context === null) throw new ServiceError('not_found', 'There is no such payment.')
  const audit = await listPaymentEntries(db, call.actor, auditPeriod(payment))
  return {
    payment: renderPayment(payment),
    timeline: timelineOf(payment, audit),
    line_items: payment.mandate.lineItems,
    agreed: { amount_minor: payment.mandate.amountMinor, currency: payment.mandate.currency },
    mandate_id: payment.mandateId,
    receipt_jws: payment.receiptJws,
    receipt_qr_svg: encodeQR(payment.receiptJws, 'svg', { ecc: 'low' }),
    agent: {
      client_id: payment.clientId,
      label: payment.agentName,
      purpose: context.agent_purpose,
      revoked: context.agent_revoked,
      paused: context.agent_paused,
    },
    merchant: { audience: payment.merchantAudience, name: payment.merchantName, verified: context.merchant_verified },
    card: payment.card,
    rule: ruleOf(payment, context),
    audit_seqs: audit.map(({ seq }) => seq),
  }
}

/** Returns the filter for the audit entries of a payment: those in the time in which it was made. */
export function auditPeriod({ paymentIntentId, mandate, processedAt }: PaymentDetail) {
  const since = new Date(mandate.issuedAt.getTime() - PROCESS_CLOCKS_APART_SECONDS * 1000)
  return { paymentIntentId, since, until: new Date(processedAt.getTime() + CLOCKS_APART_MS) }
}

const disputeSteps: Readonly<Record<string, TimelineStep>> = {
  pending: 'disputed',
  won: 'dispute_won',
  lost: 'dispute_lost',
}

function timelineOf(payment: PaymentDetail, audit: readonly PaymentEntryRow[]): PaymentDetailView['timeline'] {
  const steps: { at: Date | null | undefined; what: TimelineStep }[] = [
    { at: payment.consent?.askedAt, what: 'asked' },
    { at: payment.consent?.decidedAt, what: 'approved' },
    { at: payment.processedAt, what: 'paid' },
    { at: payment.processedAt, what: 'receipt' },
  ]
  for (const entry of audit) {
    const what = disputeSteps[entry.dispute_status ?? '']
    if (what !== undefined) steps.push({ at: entry.ts, what })
  }
  return steps.flatMap(({ at, what }) => (at == null ? [] : [{ at: at.toISOString(), what }]))
}

/** Returns why the purchase was allowed: by an approval, beyond limits or not, or by a rule. */
function ruleOf({ consent }: PaymentDetail, { rule }: PaymentContext): PaymentDetailView['rule'] {
  const isApprovedAlone = consent !== null && rule !== 'approved_over_limit'
  return {
    kind: isApprovedAlone ? 'approved' : rule,
    authorization_id: consent?.authorizationId ?? null,
    decided_via: consent?.decidedVia ?? null,
    method: consent?.method ?? null,
  }
}

import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { type PaymentDetail, readPayment } from '../payments'
import type { PaymentDetailView, paymentChoice, TimelineStep } from './contract'
import { presentPayment } from './present-payment'
import { findPaymentSurroundings, listPaymentAudit, type PaymentAuditRow } from './store'

/** The chain's time never runs back, so an entry is dated late after one of a process whose clock is ahead. */
const CLOCKS_APART_MS = 3_600_000

type Surroundings = NonNullable<Awaited<ReturnType<typeof findPaymentSurroundings>>>

/** Everything about one payment: what happened when, what was bought, why it was allowed, and its proofs. */
export async function readPaymentDetail(
  call: WalletCall,
  input: z.output<typeof paymentChoice>,
): Promise<PaymentDetailView> {
  const { db } = call.platform
  const payment = await readPayment(call, { payment_intent_id: input.id })
  const around = await findPaymentSurroundings(db, call.actor.principalId, input.id)
  if (around === null) throw new ServiceError('not_found', 'There is no such payment.')
  const audit = await listPaymentAudit(db, call.actor, {
    paymentIntentId: input.id,
    since: payment.mandate.issuedAt,
    until: new Date(payment.processedAt.getTime() + CLOCKS_APART_MS),
  })
  return {
    payment: presentPayment(payment),
    timeline: timelineOf(payment, audit),
    line_items: payment.mandate.lineItems,
    agreed: { amount_minor: payment.mandate.amountMinor, currency: payment.mandate.currency },
    mandate_id: payment.mandateId,
    receipt_jws: payment.receiptJws,
    agent: {
      client_id: payment.clientId,
      label: payment.agentName,
      purpose: around.agent_purpose,
      revoked: around.agent_revoked,
    },
    merchant: { audience: payment.merchantAudience, name: payment.merchantName, verified: around.merchant_verified },
    card: payment.card,
    rule: ruleOf(payment, around),
    audit_seqs: audit.map(({ seq }) => seq),
  }
}

const disputeSteps: Readonly<Record<string, TimelineStep>> = {
  pending: 'disputed',
  won: 'dispute_won',
  lost: 'dispute_lost',
}

function timelineOf(payment: PaymentDetail, audit: readonly PaymentAuditRow[]): PaymentDetailView['timeline'] {
  const steps: { at: Date | null | undefined; what: TimelineStep }[] = [
    { at: payment.consent?.askedAt, what: 'asked' },
    { at: payment.consent?.decidedAt, what: 'approved' },
    { at: payment.mandate.issuedAt, what: 'authorised' },
    { at: payment.reservedAt, what: 'submitted' },
    { at: payment.processedAt, what: 'paid' },
    { at: payment.processedAt, what: 'receipt' },
  ]
  for (const entry of audit) {
    const what = disputeSteps[entry.dispute_status ?? '']
    if (what !== undefined) steps.push({ at: entry.ts, what })
  }
  return steps.flatMap(({ at, what }) => (at == null ? [] : [{ at: at.toISOString(), what }]))
}

/** Why the purchase went through: the person said yes to it, or had said so before, or had set rules that let it. */
function ruleOf(payment: PaymentDetail, around: Surroundings): PaymentDetailView['rule'] {
  const asked = {
    authorization_id: payment.consent?.authorizationId ?? null,
    decided_via: payment.consent?.decidedVia ?? null,
    method: payment.consent?.method ?? null,
  }
  if (payment.consent !== null) return { kind: around.over_limit ? 'approved_over_limit' : 'approved', ...asked }
  if (around.over_limit) return { kind: 'approved_over_limit', ...asked }
  return { kind: around.remembered ? 'remembered_merchant' : 'within_limits', ...asked }
}

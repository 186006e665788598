import type { Platform } from '../../base/core/platform'
import { decodeJws } from '../../base/protocol/eddsa'
import { PRESENTATION_MAX_BYTES } from '../../base/protocol/lifetimes'
import type { PaymentDetail } from '../../money/payments'
import { findSettlementRecord, type SettlementRecord } from '../../money/settlement'
import { findIssuedMandate, type IssuedMandate } from '../../oauth/mandates'
import type { PrincipalRow } from '../../shared/principals'
import { findApprovalRecord } from '../../wallet/approvals'
import { renderApproval } from './approval'
import { collectAudit, disputesOf } from './collect-audit'
import { EVIDENCE_TYPE, EVIDENCE_VERSION, type EvidencePack } from './contract'

interface Subject {
  readonly payment: PaymentDetail
  readonly payer: PrincipalRow
}

/** Collects the content of a pack, without its seal. Nothing is signed a second time. */
export async function collectPack(platform: Platform, subject: Subject): Promise<Omit<EvidencePack, 'seal'>> {
  const { payment, payer } = subject
  const { db } = platform
  const [mandate, settlement, approval] = await Promise.all([
    findIssuedMandate(db, payment.mandateId),
    findSettlementRecord(platform, payment.settlementId),
    findApprovalRecord(db, payer.id, payment.mandateId),
  ])
  const audit = await collectAudit(platform, { payment, authorizationId: approval?.authorization_id ?? null })
  const disputes = disputesOf(audit)
  const pack = {
    type: EVIDENCE_TYPE,
    version: EVIDENCE_VERSION,
    issuer: platform.config.baseUrl,
    // Must follow the time of the checkpoint that proves the entries.
    created_at: platform.clock.now().toISOString(),
    payment: { ...renderPayment(subject), status: statusAfter(disputes) },
    mandate: renderMandate(mandate, settlement),
    approval: await renderApproval(db, { payment, approval }),
    receipt: { jws: payment.receiptJws },
    settlement: renderSettlement(settlement),
    disputes,
    refunds: settlement.refunds.map((refund) => ({
      ...refund,
      demanded_at: refund.demanded_at.toISOString(),
      refunded_at: refund.refunded_at?.toISOString() ?? null,
    })),
    audit,
  } as const
  return { ...pack, keys: { keys: keysOf(platform, pack) } }
}

/**
 * Returns the status from the audit entries, not the payment's row: a dispute may change while the pack is collected.
 */
function statusAfter(disputes: EvidencePack['disputes']): EvidencePack['payment']['status'] {
  const last = disputes.at(-1)
  return last === undefined ? 'succeeded' : `disputed_${last.status}`
}

function renderPayment({ payment, payer }: Subject): Omit<EvidencePack['payment'], 'status'> {
  return {
    payment_intent_id: payment.paymentIntentId,
    settlement_id: payment.settlementId,
    mandate_id: payment.mandateId,
    agent_client_id: payment.clientId,
    payer: { principal_id: payer.id, name: payer.display_name },
    merchant: { audience: payment.merchantAudience, name: payment.merchantName },
    amount_minor: payment.amountMinor,
    currency: payment.currency,
    items: [...payment.mandate.lineItems],
    card: payment.card,
    processed_at: payment.processedAt.toISOString(),
  }
}

const NOT_KEPT = 'The payment is of before signed mandates were kept.'

function renderMandate(mandate: IssuedMandate | null, { presentation }: SettlementRecord): EvidencePack['mandate'] {
  if (presentation === null || mandate?.disclosures == null) return { kept: false, reason: NOT_KEPT }
  const [issuerJwt = ''] = presentation.split('~', 1)
  return { kept: true, sd_jwt: `${issuerJwt}~${mandate.disclosures}~`, presentation }
}

function renderSettlement({ refunds: _refunds, presentation: _presentation, ...settlement }: SettlementRecord) {
  return {
    ...settlement,
    reserved_at: settlement.reserved_at.toISOString(),
    settled_at: settlement.settled_at?.toISOString() ?? null,
  }
}

type SignedParts = Pick<EvidencePack, 'approval' | 'mandate' | 'receipt' | 'audit'>

/** Returns the public keys, retired ones included, that signed the parts, and the one that seals the pack. */
function keysOf({ keys }: Platform, { approval, mandate, receipt, audit }: SignedParts): EvidencePack['keys']['keys'] {
  const documents = [
    mandate.kept ? mandate.presentation.split('~', 1)[0] : undefined,
    approval.kind === 'wallet_presentation' ? approval.presentation.split('~', 1)[0] : undefined,
    receipt.jws,
    audit.checkpoint?.jws,
  ]
  const used = new Set([
    keys.current('audit').kid,
    ...documents.flatMap((jws) => (jws === undefined ? [] : [kidOf(jws)])),
  ])
  return keys
    .jwks()
    .filter(({ kid }) => kid !== undefined && used.has(kid))
    .map((jwk) => ({ ...jwk }))
}

const kidOf = (jws: string) => decodeJws(jws, { maxBytes: PRESENTATION_MAX_BYTES }).header.kid ?? ''

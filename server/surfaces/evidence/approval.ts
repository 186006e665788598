import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { PaymentDetail } from '../../money/payments'
import type { ApprovalRecord } from '../../wallet/approvals'
import type { EvidencePack } from './contract'

interface Allowed {
  readonly payment: PaymentDetail
  /** Null for a purchase that needed no question. */
  readonly approval: ApprovalRecord | null
}

/** What the person confirmed and with what, or the rule that made a question unnecessary. */
export async function renderApproval(db: Queryable, { payment, approval }: Allowed): Promise<EvidencePack['approval']> {
  if (approval === null) return { kind: 'rule', rule: await ruleOf(db, payment) }
  const { evidence } = approval
  const decided = {
    authorization_id: approval.authorization_id,
    asked_at: approval.created_at.toISOString(),
    decided_at: approval.decided_at.toISOString(),
    decided_via: approval.decided_via,
  }
  if (evidence === null) return { kind: 'no_evidence', ...decided }
  const shown = { display_digest: evidence.display_digest, display: evidence.display }
  if (evidence.method === 'wallet_presentation')
    return { kind: evidence.method, ...decided, ...shown, ...presentedOf(evidence) }
  if (evidence.method !== 'passkey') return { kind: evidence.method, ...decided, ...shown }
  return { kind: 'passkey', ...decided, ...shown, ...signatureOf(evidence) }
}

/** The members of a signature are stored together. */
function signatureOf(evidence: NonNullable<ApprovalRecord['evidence']>) {
  return {
    passkey_id: evidence.passkey_id ?? '',
    nonce: evidence.nonce ?? '',
    challenge: evidence.challenge ?? '',
    authenticator_data: evidence.authenticator_data ?? '',
    client_data_json: evidence.client_data_json ?? '',
    signature: evidence.signature ?? '',
    public_key: evidence.public_key ?? '',
  }
}

/** Those of a presentation too. */
function presentedOf(evidence: NonNullable<ApprovalRecord['evidence']>) {
  return {
    presentation: evidence.presentation ?? '',
    transaction_data: evidence.transaction_data ?? '',
    nonce: evidence.presentation_nonce ?? '',
    audience: evidence.audience ?? '',
    holder_jkt: evidence.holder_jkt ?? '',
  }
}

/** Whether the person had approved this agent at this merchant before; otherwise their rules and limits allowed it. */
async function ruleOf(db: Queryable, payment: PaymentDetail): Promise<'remembered_merchant' | 'within_limits'> {
  const rows = await db.query(
    sql`SELECT 1 FROM approval_outcomes k
         WHERE k.principal_id = ${payment.principalId} AND k.client_id = ${payment.clientId} AND k.status = 'approved'
           AND k.merchant_audience = ${payment.merchantAudience} AND k.decided_at <= ${payment.mandate.issuedAt} LIMIT 1`,
  )
  return rows.length === 1 ? 'remembered_merchant' : 'within_limits'
}

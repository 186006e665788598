import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { PaymentDetail } from '../../money/payments'
import type { ApprovalRecord } from '../../wallet/approvals'
import type { EvidencePack } from './contract'

interface Allowed {
  readonly payment: PaymentDetail
  /** The approval of the purchase; null when none was needed. */
  readonly approval: ApprovalRecord | null
}

/** Returns the person's approval and its proof, or the rule by which none was needed. */
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

/** Returns the members of a passkey signature, which are stored together. */
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

/** Returns the members of a presentation, which are stored together. */
function presentedOf(evidence: NonNullable<ApprovalRecord['evidence']>) {
  return {
    presentation: evidence.presentation ?? '',
    transaction_data: evidence.transaction_data ?? '',
    nonce: evidence.presentation_nonce ?? '',
    audience: evidence.audience ?? '',
    holder_jkt: evidence.holder_jkt ?? '',
  }
}

/**
 * Returns the rule that allowed the payment: an earlier approval of this agent at this merchant, or else the limits.
 */
async function ruleOf(db: Queryable, payment: PaymentDetail): Promise<'remembered_merchant' | 'within_limits'> {
  const rows = await db.query(
    sql`SELECT 1 FROM approval_outcomes k
         WHERE k.principal_id = ${payment.principalId} AND k.client_id = ${payment.clientId} AND k.status = 'approved'
           AND k.merchant_audience = ${payment.merchantAudience} AND k.decided_at <= ${payment.mandate.issuedAt} LIMIT 1`,
  )
  return rows.length === 1 ? 'remembered_merchant' : 'within_limits'
}

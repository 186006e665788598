import { invariant } from '../../base/core/invariant'
import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { PaymentDetail } from '../../money/payments'
import { type AllowingRule, type ApprovalRecord, allowingRuleSql } from '../../wallet/approvals'
import type { EvidencePack } from './contract'

interface Allowed {
  readonly payment: PaymentDetail
  /** The approval of the purchase; null when none was needed. */
  readonly approval: ApprovalRecord | null
}

/** Returns the person's approval and its proof, or the rule by which the purchase was allowed without one. */
export async function renderApproval(db: Queryable, { payment, approval }: Allowed): Promise<EvidencePack['approval']> {
  if (approval === null) return { kind: 'rule', rule: await findRule(db, payment) }
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

async function findRule(db: Queryable, payment: PaymentDetail): Promise<AllowingRule> {
  const [row] = await db.query<{ rule: AllowingRule }>(
    sql`SELECT ${allowingRuleSql({
      principalId: sql`${payment.principalId}`,
      clientId: sql`${payment.clientId}`,
      audience: sql`${payment.merchantAudience}`,
      settlementId: sql`${payment.settlementId}`,
      issuedAt: sql`${payment.mandate.issuedAt}::timestamptz`,
    })} AS rule`,
  )
  invariant(row !== undefined, 'a select without a table has one row')
  return row.rule
}

import type { LineItem } from '../../base/contract/wire'
import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { JsonObject } from '../../base/protocol/encoding'
import { passkeyKeySql } from '../../identity/passkeys'
import { type Exceeded, exceedsSql, hasUsedGrantSql } from '../limits'

/**
 * The way in which a person confirmed an approval. The members of a passkey's signature are null together, and so are
 * those of a presentation.
 */
export type EvidenceRow = Row<
  'ApprovalEvidence',
  | 'authorization_id'
  | 'principal_id'
  | 'method'
  | 'passkey_id'
  | 'display_digest'
  | 'display'
  | 'nonce'
  | 'challenge'
  | 'authenticator_data'
  | 'client_data_json'
  | 'signature'
  | 'public_key'
  | 'credential_id'
  | 'presentation'
  | 'transaction_data'
  | 'presentation_nonce'
  | 'audience'
  | 'holder_jkt',
  {
    method: 'passkey' | 'magic_link' | 'demo' | 'wallet_presentation'
    display: JsonObject & { readonly ask_above_minor?: number }
  }
>

export async function insertEvidence(tx: Queryable, evidence: EvidenceRow, now: Date): Promise<void> {
  await tx.query(
    sql`INSERT INTO approval_evidence (authorization_id, principal_id, method, passkey_id, display_digest, display, nonce,
                                    challenge, authenticator_data, client_data_json, signature, public_key, credential_id,
                                    presentation, transaction_data, presentation_nonce, audience, holder_jkt, created_at)
     VALUES (${evidence.authorization_id}, ${evidence.principal_id}, ${evidence.method}, ${evidence.passkey_id}, ${evidence.display_digest}, ${JSON.stringify(evidence.display)}::jsonb, ${evidence.nonce}, ${evidence.challenge}, ${evidence.authenticator_data}, ${evidence.client_data_json}, ${evidence.signature}, ${evidence.public_key}, ${evidence.credential_id}, ${evidence.presentation}, ${evidence.transaction_data}, ${evidence.presentation_nonce}, ${evidence.audience}, ${evidence.holder_jkt}, ${now})`,
  )
}

/** The approval that a mandate came from, as it is stored now. */
export interface Approval {
  readonly consent: Row<
    'Consent',
    | 'authorization_id'
    | 'principal_id'
    | 'client_id'
    | 'status'
    | 'decided_via'
    | 'merchant_audience'
    | 'amount_minor'
    | 'currency'
    | 'line_items',
    { line_items: readonly LineItem[] | null }
  > & { readonly exceeds: readonly Exceeded[] | null }
  /** The items that the mandate was signed for. */
  readonly items: readonly LineItem[] | null
  readonly evidence: EvidenceRow | null
  /** Whether evidence and decision were written at the same instant. */
  readonly same_instant: boolean | null
  /**
   * The public key of the confirming passkey, as hexadecimal digits; null when that passkey does not exist (any more).
   */
  readonly passkey_key: string | null
  /** The time of the decision as RFC 3339 text. */
  readonly decided_at: string | null
  /** Whether the credential that a wallet app presented may still approve. */
  readonly credential_counts: boolean
}

const credentialCountsSql = sql`EXISTS (SELECT 1 FROM approving_credentials a
     WHERE a.id = e.credential_id AND a.principal_id = e.principal_id
       AND (a.passkey_id IS NULL OR ${passkeyKeySql(sql`a.passkey_id`)} IS NOT NULL))`

/**
 * SQL expression: the portal's approval that the mandate came from, as `Approval`; NULL when there was none, which
 * costs one index look-up. `mandate` is the alias of the mandate's row.
 */
export function approvalSql({ mandate }: { readonly mandate: Sql }): Sql {
  return sql`(SELECT jsonb_build_object(
       'consent', jsonb_build_object(
          'authorization_id', o.authorization_id, 'principal_id', o.principal_id, 'client_id', o.client_id,
          'status', o.status, 'decided_via', o.decided_via, 'merchant_audience', o.merchant_audience,
          'amount_minor', o.amount_minor, 'currency', o.currency, 'line_items', o.line_items,
          'exceeds', ${exceedsSql(sql`o.limit_bump_id`)}),
       'items', coalesce(${mandate}.line_items,
                         (SELECT i.line_items FROM agreed_items i WHERE i.family_id = ${mandate}.family_id)),
       'evidence', to_jsonb(e), 'same_instant', e.created_at = o.decided_at,
       'passkey_key', ${passkeyKeySql(sql`e.passkey_id`)}, 'decided_at', o.decided_at,
       'credential_counts', ${credentialCountsSql})
     FROM consents o LEFT JOIN approval_evidence e USING (authorization_id)
    WHERE o.mandate_id = ${mandate}.id AND (o.decided_via = 'portal' OR e.authorization_id IS NOT NULL) LIMIT 1)`
}

/** The approval of a mandate's purchase, with its evidence. */
export type ApprovalRecord = Row<'Consent', 'authorization_id' | 'created_at'> & {
  readonly decided_at: Date
  readonly decided_via: string
  /** The person's confirmation; null when the decision was not made in the portal. */
  readonly evidence: EvidenceRow | null
}

/** Returns the approval that a mandate came from; null when the rules allowed the purchase without one. */
export async function findApprovalRecord(
  db: Queryable,
  principalId: string,
  mandateId: string,
): Promise<ApprovalRecord | null> {
  const [row] = await db.query<ApprovalRecord>(
    sql`SELECT o.authorization_id, o.created_at, o.decided_at, o.decided_via, to_jsonb(e) AS evidence
          FROM consents o LEFT JOIN approval_evidence e USING (authorization_id)
         WHERE o.mandate_id = ${mandateId} AND o.principal_id = ${principalId} AND o.status = 'approved'`,
  )
  return row ?? null
}

/** Why a payment was allowed that has no approval of its own. */
export type AllowingRule = 'approved_over_limit' | 'remembered_merchant' | 'within_limits'

/** A payment in a larger statement: columns of its tables, or values. */
interface PaymentParts {
  readonly principalId: Sql
  readonly clientId: Sql
  readonly audience: Sql
  readonly settlementId: Sql
  /** When its mandate was issued. */
  readonly issuedAt: Sql
}

/**
 * SQL expression: the rule that allowed a payment without an approval of its own, as `AllowingRule`: the person let it
 * exceed limits once, an earlier approval of this agent at this merchant, or else the limits.
 */
export const allowingRuleSql = (payment: PaymentParts): Sql =>
  sql`CASE WHEN ${hasUsedGrantSql(payment.settlementId)} THEN 'approved_over_limit'
            WHEN EXISTS (SELECT 1 FROM approval_outcomes k
                          WHERE k.principal_id = ${payment.principalId} AND k.client_id = ${payment.clientId}
                            AND k.status = 'approved' AND k.merchant_audience = ${payment.audience}
                            AND k.decided_at <= ${payment.issuedAt}) THEN 'remembered_merchant'
            ELSE 'within_limits' END`

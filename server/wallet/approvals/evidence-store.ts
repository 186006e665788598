import type { LineItem } from '../../base/contract/wire'
import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import type { JsonObject } from '../../base/protocol/encoding'
import { passkeyKeySql } from '../../identity/passkeys'

/** How a person confirmed an approval; the members of a signature are null together. */
export interface EvidenceRow {
  authorization_id: string
  principal_id: string
  method: 'passkey' | 'magic_link' | 'demo'
  passkey_id: string | null
  display_digest: string
  display: JsonObject
  nonce: string | null
  challenge: string | null
  authenticator_data: string | null
  client_data_json: string | null
  signature: string | null
  public_key: string | null
}

export async function insertEvidence(tx: Queryable, evidence: EvidenceRow, now: Date): Promise<void> {
  await tx.query(
    sql`INSERT INTO approval_evidence (authorization_id, principal_id, method, passkey_id, display_digest, display, nonce,
                                    challenge, authenticator_data, client_data_json, signature, public_key, created_at)
     VALUES (${evidence.authorization_id}, ${evidence.principal_id}, ${evidence.method}, ${evidence.passkey_id}, ${evidence.display_digest}, ${JSON.stringify(evidence.display)}::jsonb, ${evidence.nonce}, ${evidence.challenge}, ${evidence.authenticator_data}, ${evidence.client_data_json}, ${evidence.signature}, ${evidence.public_key}, ${now})`,
  )
}

/** The approval that a mandate came from, as the database tells it now. */
export interface Approval {
  readonly consent: {
    readonly authorization_id: string
    readonly principal_id: string
    readonly client_id: string
    readonly status: string
    readonly decided_via: string | null
    readonly merchant_audience: string | null
    readonly amount_minor: number | null
    readonly currency: string | null
    readonly line_items: readonly LineItem[] | null
  }
  /** The items that the mandate was signed for. */
  readonly items: readonly LineItem[] | null
  readonly evidence: EvidenceRow | null
  /** Evidence and decision were written together. */
  readonly same_instant: boolean | null
  /** The key of the passkey that confirmed it, as hexadecimal digits; null when there is no such passkey. */
  readonly passkey_key: string | null
}

/**
 * One column: the approval in the portal that the mandate came from, as `Approval`; NULL when there was none, which costs
 * one look into an index. `mandate` is the alias of the mandate's row.
 */
export function approvalSql({ mandate }: { readonly mandate: Sql }): Sql {
  return sql`(SELECT jsonb_build_object(
       'consent', jsonb_build_object(
          'authorization_id', o.authorization_id, 'principal_id', o.principal_id, 'client_id', o.client_id,
          'status', o.status, 'decided_via', o.decided_via, 'merchant_audience', o.merchant_audience,
          'amount_minor', o.amount_minor, 'currency', o.currency, 'line_items', o.line_items),
       'items', (SELECT i.line_items FROM agreed_items i WHERE i.family_id = ${mandate}.family_id),
       'evidence', to_jsonb(e), 'same_instant', e.created_at = o.decided_at,
       'passkey_key', ${passkeyKeySql(sql`e.passkey_id`)})
     FROM consents o LEFT JOIN approval_evidence e USING (authorization_id)
    WHERE o.mandate_id = ${mandate}.id AND (o.decided_via = 'portal' OR e.authorization_id IS NOT NULL) LIMIT 1)`
}

import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row, StoredRows } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import type { JsonObject } from '../../base/protocol/encoding'
import { CREDENTIAL_FAILURES_MAX } from '../../base/protocol/lifetimes'
import type { CredentialConfigurationId } from './contract'

export type OfferRow = Row<
  'CredentialOffer',
  | 'id'
  | 'configuration'
  | 'subject'
  | 'tenant_id'
  | 'principal_id'
  | 'by_person'
  | 'passkey_id'
  | 'tx_code_hash'
  | 'expires_at'
  | 'redeemed_at'
  | 'ended_at'
  | 'token_id'
  | 'token_revoked_at'
  | 'issued_at',
  { configuration: CredentialConfigurationId; subject: JsonObject }
>

const columns = sql`id, configuration, subject, tenant_id, principal_id, by_person, passkey_id, tx_code_hash, expires_at, redeemed_at, ended_at,
  token_id, token_revoked_at, issued_at`

/** The person who made an offer for their own wallet app. */
export interface OfferMaker {
  /** The passkey with which they confirmed it; null when it was a fresh session. */
  readonly passkeyId: string | null
}

export interface NewOffer {
  readonly id: string
  readonly handleHash: string
  readonly codeHash: string
  readonly configuration: CredentialConfigurationId
  readonly subject: JsonObject
  readonly tenantId: string | null
  readonly principalId: string | null
  readonly maker: OfferMaker | null
  readonly txCodeHash: string | null
  readonly now: Date
  readonly expiresAt: Date
}

export async function insertOffer(db: Queryable, offer: NewOffer): Promise<void> {
  await db.query(
    sql`INSERT INTO credential_offers (id, handle_hash, code_hash, configuration, subject, tenant_id, principal_id,
                                       by_person, passkey_id, tx_code_hash, created_at, expires_at)
     VALUES (${offer.id}, ${offer.handleHash}, ${offer.codeHash}, ${offer.configuration},
             ${JSON.stringify(offer.subject)}::jsonb, ${offer.tenantId}, ${offer.principalId}, ${offer.maker !== null},
             ${offer.maker?.passkeyId ?? null}, ${offer.txCodeHash}, ${offer.now}, ${offer.expiresAt})`,
  )
}

/** Finds an offer by its address; null too for one whose person may get no credentials. */
export async function findOfferByHandle(db: Queryable, handleHash: string): Promise<OfferRow | null> {
  const [row] = await db.query<OfferRow>(
    sql`SELECT ${columns} FROM credential_offers o WHERE handle_hash = ${handleHash} AND (principal_id IS NULL OR ${servedSql})`,
  )
  return row ?? null
}

/** Finds an offer about the person by its public id; null for an offer about another person. */
export async function findOfferAbout(db: Queryable, id: string, principalId: string): Promise<OfferRow | null> {
  const [row] = await db.query<OfferRow>(
    sql`SELECT ${columns} FROM credential_offers WHERE id = ${id} AND principal_id = ${principalId}`,
  )
  return row ?? null
}

/** Lists the expiries of the open offers about the person, the earliest first. */
export async function listOpenOfferEnds(db: Queryable, principalId: string, now: Date): Promise<readonly Date[]> {
  const rows = await db.query<Row<'CredentialOffer', 'expires_at'>>(
    sql`SELECT expires_at FROM credential_offers
         WHERE principal_id = ${principalId} AND redeemed_at IS NULL AND ended_at IS NULL AND expires_at > ${now}
         ORDER BY expires_at`,
  )
  return rows.map(({ expires_at: expiresAt }) => expiresAt)
}

/** Ends an offer about the person, with its access token, unless its credential has been issued. */
export async function endOfferAbout(
  db: Queryable,
  id: string,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await db.query(
    sql`UPDATE credential_offers SET ${endSql(now)}
         WHERE id = ${id} AND principal_id = ${principalId} AND issued_at IS NULL`,
  )
}

/** Ends the offers that the person made for their own wallet apps, as {@link endOfferAbout}. */
export async function endOwnOffers(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET ${endSql(now)}
         WHERE principal_id = ${principalId} AND by_person AND issued_at IS NULL AND ended_at IS NULL`,
  )
}

/** SQL condition: the person of the offer `o` has neither been erased nor restricted processing. */
const servedSql = sql`EXISTS (SELECT 1 FROM active_principals p WHERE p.id = o.principal_id AND NOT p.processing_restricted)`

const endSql = (now: Date): Sql =>
  sql`ended_at = coalesce(ended_at, ${now}::timestamptz),
      token_revoked_at = CASE WHEN token_id IS NOT NULL THEN coalesce(token_revoked_at, ${now}::timestamptz) END`

/** A locked offer, and whether its person, if it has one, may get credentials. */
export interface LockedOffer {
  readonly offer: OfferRow
  readonly isServed: boolean
}

/**
 * Locks an offer until the commit, so that decisions about it are serialised; returns null when there is none. The
 * person is read afterwards: an erasure locks their offers too, and a restriction waits for the shared lock on their
 * row.
 */
export async function lockOffer(
  tx: Transaction,
  by: { readonly codeHash: string } | { readonly id: string },
): Promise<LockedOffer | null> {
  const condition = 'id' in by ? sql`id = ${by.id}` : sql`code_hash = ${by.codeHash}`
  const [offer] = await tx.query<OfferRow>(sql`SELECT ${columns} FROM credential_offers WHERE ${condition} FOR UPDATE`)
  if (offer === undefined) return null
  const { principal_id: principalId } = offer
  if (principalId === null) return { offer, isServed: true }
  const served = await tx.query(
    sql`SELECT id FROM active_principals WHERE id = ${principalId} AND NOT processing_restricted FOR KEY SHARE`,
  )
  return { offer, isServed: served.length === 1 }
}

/** Counts a wrong transaction code for a locked offer; the last allowed one ends the offer. */
export async function countWrongTxCode(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET tx_code_failures = tx_code_failures + 1,
               ended_at = CASE WHEN tx_code_failures + 1 >= ${CREDENTIAL_FAILURES_MAX} THEN ${now}::timestamptz END
         WHERE id = ${id}`,
  )
}

/** Counts an invalid proof for a locked offer; the last allowed one ends the offer. */
export async function countBadProof(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET proof_failures = proof_failures + 1,
               ended_at = CASE WHEN proof_failures + 1 >= ${CREDENTIAL_FAILURES_MAX} THEN ${now}::timestamptz END
         WHERE id = ${id}`,
  )
}

/** Redeems the code of a locked offer for an access token. */
export async function saveToken(tx: Transaction, id: string, token: { tokenId: string; now: Date }): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET redeemed_at = ${token.now}, token_id = ${token.tokenId} WHERE id = ${id}`,
  )
}

/** Ends the access token of a code that was used again. */
export async function revokeToken(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET token_revoked_at = ${now}
         WHERE id = ${id} AND token_id IS NOT NULL AND token_revoked_at IS NULL`,
  )
}

/** Consumes the code or access token of a locked offer and deletes its claims. */
export async function spendOffer(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET redeemed_at = coalesce(redeemed_at, ${now}), issued_at = ${now}, subject = '{}'
         WHERE id = ${id}`,
  )
}

/** Consumes a nonce. Returns whether it was unused: true for only one of parallel proofs. */
export async function consumeNonce(tx: Transaction, nonceHash: string, expiresAt: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO credential_nonces (nonce_hash, expires_at) VALUES (${nonceHash}, ${expiresAt})
     ON CONFLICT DO NOTHING RETURNING nonce_hash`,
  )
  return rows.length === 1
}

/** Deletes claims and passkey from the offers about a person. The offers stay until they are swept, but are useless. */
export async function eraseOffers(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(
    sql`UPDATE credential_offers SET subject = '{}', passkey_id = NULL WHERE principal_id = ${principalId}`,
  )
}

/** Reads this slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredOffers(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    credential_offers: await db.query(
      sql`SELECT configuration, subject, by_person, created_at, expires_at, redeemed_at FROM credential_offers
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}

/** Deletes offers a day after they expired. */
export function sweepOffers(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM credential_offers WHERE id IN (
      SELECT id FROM credential_offers WHERE ${oldestSql(sql`expires_at`, sweptBefore('credentialOffers', now))})`,
  )
}

/** Deletes used nonces that have expired. */
export function sweepCredentialNonces(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM credential_nonces WHERE nonce_hash IN (
      SELECT nonce_hash FROM credential_nonces WHERE ${oldestSql(sql`expires_at`, sweptBefore('replayKeys', now))})`,
  )
}

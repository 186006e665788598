import { invariant } from '../../base/core/invariant'
import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import type { VerifierInfo } from './relying-party-contract'

/** The id of the only row. */
const OWN = 'own'

export const relyingPartyKeyContext = (id: string = OWN): string => `relying-party-key/${id}`

type Columns = Row<
  'RelyingParty',
  'x5c' | 'anchor' | 'client_id' | 'verifier_info' | 'sealed_private_key' | 'not_after' | 'is_test',
  { x5c: readonly string[] | null; verifier_info: readonly VerifierInfo[] | null }
>

/** A certificate with its sealed key, as it is stored. */
export interface StoredCertificate {
  readonly x5c: readonly string[]
  readonly anchor: string | null
  readonly clientId: string
  readonly verifierInfo: readonly VerifierInfo[] | null
  readonly sealedPrivateKey: string
  readonly notAfter: Date
  /** Whether the sandbox made it itself. */
  readonly isTest: boolean
}

/** The stored certificate; `none` when none was ever stored, `removed` once it was removed. */
export type StoredRelyingParty = 'none' | 'removed' | StoredCertificate

/** Returns the stored certificate, read each time, so that a change holds at once in every process. */
export async function findStoredRelyingParty(db: Queryable): Promise<StoredRelyingParty> {
  const [row] = await db.query<Columns>(
    sql`SELECT x5c, anchor, client_id, verifier_info, sealed_private_key, not_after, is_test FROM relying_party
      WHERE id = ${OWN}`,
  )
  return toStored(row)
}

/** Returns {@link findStoredRelyingParty}, and locks the row. */
export async function lockStoredRelyingParty(tx: Transaction): Promise<StoredRelyingParty> {
  const [row] = await tx.query<Columns>(
    sql`SELECT x5c, anchor, client_id, verifier_info, sealed_private_key, not_after, is_test FROM relying_party
      WHERE id = ${OWN} FOR UPDATE`,
  )
  return toStored(row)
}

function toStored(row: Columns | undefined): StoredRelyingParty {
  if (row === undefined) return 'none'
  if (row.x5c === null) return 'removed'
  const { client_id: clientId, sealed_private_key: sealedPrivateKey, not_after: notAfter } = row
  invariant(clientId !== null && sealedPrivateKey !== null && notAfter !== null, 'a certificate is stored whole')
  return {
    x5c: row.x5c,
    anchor: row.anchor,
    clientId,
    verifierInfo: row.verifier_info,
    sealedPrivateKey,
    notAfter,
    isTest: row.is_test,
  }
}

/** Stores a certificate in place of the earlier one. */
export async function replaceRelyingParty(tx: Transaction, certificate: StoredCertificate, now: Date): Promise<void> {
  await tx.query(
    sql`${insertSql(certificate, now)} ON CONFLICT (id) DO UPDATE SET x5c = excluded.x5c, anchor = excluded.anchor,
      client_id = excluded.client_id, verifier_info = excluded.verifier_info,
      sealed_private_key = excluded.sealed_private_key, not_after = excluded.not_after, is_test = excluded.is_test,
      updated_at = excluded.updated_at`,
  )
}

/** Stores the sandbox's own certificate when there is none, or its own has expired: of parallel processes, one wins. */
export async function insertTestRelyingParty(db: Queryable, certificate: StoredCertificate, now: Date): Promise<void> {
  await db.query(
    sql`${insertSql(certificate, now)} ON CONFLICT (id) DO UPDATE SET x5c = excluded.x5c, anchor = excluded.anchor,
      client_id = excluded.client_id, sealed_private_key = excluded.sealed_private_key,
      not_after = excluded.not_after, updated_at = excluded.updated_at
      WHERE relying_party.is_test AND relying_party.not_after <= ${now}`,
  )
}

function insertSql(certificate: StoredCertificate, now: Date) {
  const { x5c, anchor, clientId, verifierInfo, sealedPrivateKey, notAfter, isTest } = certificate
  const info = verifierInfo === null ? null : JSON.stringify(verifierInfo)
  return sql`INSERT INTO relying_party
      (id, x5c, anchor, client_id, verifier_info, sealed_private_key, not_after, is_test, updated_at)
    VALUES (${OWN}, ${JSON.stringify(x5c)}::jsonb, ${anchor}, ${clientId}, ${info}::jsonb, ${sealedPrivateKey},
      ${notAfter}, ${isTest}, ${now})`
}

/** Removes the certificate; the row remains as the sign that it was removed. */
export async function removeRelyingParty(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    sql`INSERT INTO relying_party (id, updated_at) VALUES (${OWN}, ${now})
     ON CONFLICT (id) DO UPDATE SET x5c = NULL, anchor = NULL, client_id = NULL, verifier_info = NULL,
       sealed_private_key = NULL, not_after = NULL, is_test = false, updated_at = excluded.updated_at`,
  )
}

/** The private key of the access certificate. */
export const sealedRelyingPartyKey: SealedColumn = {
  what: 'keys of the access certificate',
  contextOf: relyingPartyKeyContext,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT id, sealed_private_key AS sealed FROM relying_party
        WHERE ${sealedOtherwiseSql(sql`sealed_private_key`, query)} LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE relying_party SET sealed_private_key = ${resealed} WHERE id = ${id} AND sealed_private_key = ${sealed}`,
    ),
}

import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row, StoredRows } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import type { CredentialConfigurationId } from '../../oauth/credential-offers/contract'
import { moveStatusList, revokeCredentialPlaces } from '../../oauth/mandates'

export type CredentialRow = Row<
  'IssuedCredential',
  'id' | 'configuration' | 'tenant_id' | 'principal_id' | 'by_person' | 'passkey_id' | 'issued_at' | 'expires_at'
>

export async function insertCredential(tx: Transaction, credential: CredentialRow): Promise<void> {
  await tx.query(
    sql`INSERT INTO issued_credentials (id, configuration, tenant_id, principal_id, by_person, passkey_id, issued_at, expires_at)
     VALUES (${credential.id}, ${credential.configuration}, ${credential.tenant_id}, ${credential.principal_id},
             ${credential.by_person}, ${credential.passkey_id}, ${credential.issued_at}, ${credential.expires_at})`,
  )
}

type RevokedRow = Row<'IssuedCredential', 'tenant_id' | 'principal_id' | 'revoked_at', { revoked_at: Date }>

interface Revocation {
  readonly id: string
  /** The person whom the credential must be about; null for anybody. */
  readonly principalId: string | null
  readonly now: Date
}

/** Marks a credential as revoked. The first time is kept; `isFresh` tells whether it is this one. Null when unknown. */
export async function revokeCredentialRow(
  tx: Transaction,
  { id, principalId, now }: Revocation,
): Promise<(RevokedRow & { readonly isFresh: boolean }) | null> {
  const [before] = await tx.query<Row<'IssuedCredential', 'tenant_id' | 'principal_id' | 'revoked_at'>>(
    sql`SELECT tenant_id, principal_id, revoked_at FROM issued_credentials
         WHERE id = ${id} AND (${principalId}::text IS NULL OR principal_id = ${principalId}) FOR UPDATE`,
  )
  if (before === undefined) return null
  const { revoked_at: revokedAt } = before
  if (revokedAt !== null) return { ...before, revoked_at: revokedAt, isFresh: false }
  await tx.query(sql`UPDATE issued_credentials SET revoked_at = ${now} WHERE id = ${id}`)
  return { ...before, revoked_at: now, isFresh: true }
}

type OwnRow = Row<
  'IssuedCredential',
  'id' | 'configuration' | 'issued_at' | 'expires_at' | 'revoked_at',
  { configuration: CredentialConfigurationId }
>

const LISTED_MAX = 100

/** Returns the credentials about the person, the newest first; at most a hundred. */
export function listCredentialsAbout(db: Queryable, principalId: string): Promise<readonly OwnRow[]> {
  return db.query<OwnRow>(
    sql`SELECT id, configuration, issued_at, expires_at, revoked_at FROM issued_credentials
         WHERE principal_id = ${principalId} ORDER BY issued_at DESC, id LIMIT ${LISTED_MAX}`,
  )
}

/** Returns whether a credential about the person was issued at this instant, at which its offer was spent. */
export async function wasIssuedAt(db: Queryable, principalId: string, issuedAt: Date): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT id FROM issued_credentials WHERE principal_id = ${principalId} AND issued_at = ${issuedAt} LIMIT 1`,
  )
  return rows.length > 0
}

/** Revokes the credentials that the person offered themselves, issued at this instant or later. Returns their ids. */
export async function revokeOwnRowsSince(
  tx: Transaction,
  { principalId, since, now }: { readonly principalId: string; readonly since: Date; readonly now: Date },
): Promise<readonly string[]> {
  const rows = await tx.query<Row<'IssuedCredential', 'id'>>(
    sql`WITH locked AS (
       SELECT id FROM issued_credentials
        WHERE principal_id = ${principalId} AND by_person AND issued_at >= ${since} AND revoked_at IS NULL
        ORDER BY id FOR UPDATE)
     UPDATE issued_credentials c SET revoked_at = ${now} FROM locked WHERE c.id = locked.id RETURNING c.id`,
  )
  return rows.map(({ id }) => id)
}

/** SQL expression: a text that changes whenever the person's credentials change; part of the portal's revision. */
export function credentialsRevisionSql(principalId: string): Sql {
  return sql`(SELECT concat_ws(' ', count(*), count(revoked_at), max(issued_at)) FROM issued_credentials
               WHERE principal_id = ${principalId})`
}

/**
 * Revokes the person's credentials and deletes their passkey ids. `endErasedCredentials` moves the status list later.
 */
export async function eraseIssuedCredentials(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  const rows = await tx.query<Row<'IssuedCredential', 'id'>>(
    sql`WITH locked AS (
       SELECT id FROM issued_credentials WHERE principal_id = ${principalId} AND revoked_at IS NULL ORDER BY id FOR UPDATE)
     UPDATE issued_credentials c SET revoked_at = ${now} FROM locked WHERE c.id = locked.id RETURNING c.id`,
  )
  const ids = rows.map(({ id }) => id)
  await revokeCredentialPlaces(tx, ids, now)
  await tx.query(
    sql`UPDATE issued_credentials SET passkey_id = NULL WHERE principal_id = ${principalId} AND passkey_id IS NOT NULL`,
  )
}

/**
 * Moves the status list when this erasure has revoked credentials. Runs last, since all revocations wait for its row.
 */
export async function endErasedCredentials(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  const rows = await tx.query(
    sql`SELECT id FROM issued_credentials WHERE principal_id = ${principalId} AND revoked_at = ${now} LIMIT 1`,
  )
  if (rows.length > 0) await moveStatusList(tx)
}

/** Returns the person whom a credential is about; null when none is recorded, or the credential is unknown. */
export async function findCredentialOwner(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<Row<'IssuedCredential', 'principal_id'>>(
    sql`SELECT principal_id FROM issued_credentials WHERE id = ${id}`,
  )
  return row?.principal_id ?? null
}

/** Returns this slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredCredentials(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    issued_credentials: await db.query(
      sql`SELECT id, configuration, by_person, issued_at, expires_at, revoked_at FROM issued_credentials
        WHERE principal_id = ${principalId} ORDER BY issued_at, id`,
    ),
  }
}

/** Deletes rows of credentials a month after they expired. */
export function sweepIssuedCredentials(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM issued_credentials WHERE id IN (
      SELECT id FROM issued_credentials WHERE ${oldestSql(sql`expires_at`, sweptBefore('issuedCredentials', now))})`,
  )
}

import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type LinkContent, type LinkPurpose, type UndoPurpose, undoPurposes } from './contract'

export type MailedLink = Row<
  'MailedLink',
  'token_hash' | 'principal_id' | 'created_at' | 'expires_at' | 'consumed_at'
> &
  LinkContent

export type NewLink = LinkContent & {
  readonly tokenHash: string
  readonly principalId: string
  readonly now: Date
  readonly expiresAt: Date
}

export async function insertLink(tx: Queryable, link: NewLink): Promise<void> {
  await tx.query(
    sql`INSERT INTO mailed_links (token_hash, principal_id, purpose, subject, created_at, expires_at)
     VALUES (${link.tokenHash}, ${link.principalId}, ${link.purpose}, ${JSON.stringify(link.subject)}::jsonb, ${link.now}, ${link.expiresAt})`,
  )
}

/** Returns the link, used or not; null when it has expired or its person was erased. */
export async function findLinkByHash(db: Queryable, tokenHash: string, now: Date): Promise<MailedLink | null> {
  const [row] = await db.query<MailedLink>(
    sql`SELECT l.token_hash, l.principal_id, l.purpose, l.subject, l.created_at, l.expires_at, l.consumed_at
       FROM mailed_links l JOIN active_principals p ON p.id = l.principal_id
      WHERE l.token_hash = ${tokenHash} AND l.expires_at > ${now}`,
  )
  return row ?? null
}

/** Returns the newest unused link of the person for this purpose; null when there is none. */
export async function findOpenLink(
  db: Queryable,
  principalId: string,
  { purpose, now }: { readonly purpose: LinkPurpose; readonly now: Date },
): Promise<MailedLink | null> {
  const [row] = await db.query<MailedLink>(
    sql`SELECT token_hash, principal_id, purpose, subject, created_at, expires_at, consumed_at FROM mailed_links
      WHERE principal_id = ${principalId} AND purpose = ${purpose} AND consumed_at IS NULL AND expires_at > ${now}
      ORDER BY created_at DESC LIMIT 1`,
  )
  return row ?? null
}

export type UndoLink = Extract<MailedLink, { readonly purpose: UndoPurpose }>

/** Returns the address that an undo link was mailed to; null when it was not stored. */
export const mailboxOf = ({ subject }: UndoLink): string | null => subject.email ?? null

/** Returns the person's unused links that undo a change, newest first. */
export function listUndoLinks(db: Queryable, principalId: string, now: Date): Promise<UndoLink[]> {
  return db.query<UndoLink>(
    sql`SELECT token_hash, principal_id, purpose, subject, created_at, expires_at, consumed_at FROM mailed_links
      WHERE principal_id = ${principalId} AND purpose = ANY (${undoPurposes}::text[]) AND consumed_at IS NULL
        AND expires_at > ${now}
      ORDER BY created_at DESC, token_hash`,
  )
}

/** Returns one of the person's unused links that undo a change, by the hash of its token; null for any other. */
export async function findUndoLink(
  db: Queryable,
  principalId: string,
  { tokenHash, now }: { readonly tokenHash: string; readonly now: Date },
): Promise<UndoLink | null> {
  const links = await listUndoLinks(db, principalId, now)
  return links.find((link) => link.token_hash === tokenHash) ?? null
}

/** Consumes the link; of parallel uses only one succeeds. Returns whether this one did. */
export async function consumeLink(tx: Queryable, tokenHash: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE mailed_links SET consumed_at = ${now}
      WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND expires_at > ${now} RETURNING token_hash`,
  )
  return rows.length === 1
}

interface EndedLinks {
  readonly purposes: readonly LinkPurpose[]
  /** The instant from which on mailed links are ended; absent to end all. */
  readonly since?: Date
  readonly now: Date
}

/** Ends the person's unused links for these purposes. */
export async function endLinks(
  tx: Queryable,
  principalId: string,
  { purposes, since, now }: EndedLinks,
): Promise<void> {
  await tx.query(
    sql`UPDATE mailed_links SET consumed_at = ${now}
      WHERE principal_id = ${principalId} AND purpose = ANY (${purposes}::text[]) AND consumed_at IS NULL
        AND expires_at > ${now} AND created_at >= ${since ?? new Date(0)}`,
  )
}

/** Deletes all links of a person, as a step of their erasure. */
export async function eraseMailedLinks(
  tx: Transaction,
  { principalId }: { readonly principalId: string },
): Promise<void> {
  await tx.query(sql`DELETE FROM mailed_links WHERE principal_id = ${principalId}`)
}

/** Deletes links that have expired. */
export function sweepMailedLinks(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('mailedLinks', now)
  return countSwept(
    db,
    sql`DELETE FROM mailed_links WHERE token_hash IN
       (SELECT token_hash FROM mailed_links WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}

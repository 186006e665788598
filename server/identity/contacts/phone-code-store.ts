import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { CODE_TRIES_MAX } from './contract'

export interface NewPhoneCode {
  readonly principalId: string
  readonly phone: string
  readonly codeHash: string
  readonly now: Date
  readonly expiresAt: Date
}

/** Stores the person's code in place of an earlier one. */
export async function savePhoneCode(tx: Queryable, code: NewPhoneCode): Promise<void> {
  await tx.query(
    sql`INSERT INTO phone_codes (principal_id, phone_e164, code_hash, created_at, expires_at)
     VALUES (${code.principalId}, ${code.phone}, ${code.codeHash}, ${code.now}, ${code.expiresAt})
     ON CONFLICT (principal_id) DO UPDATE
       SET phone_e164 = excluded.phone_e164, code_hash = excluded.code_hash, tries = 0,
           created_at = excluded.created_at, expires_at = excluded.expires_at`,
  )
}

type OpenCode = Row<'PhoneCode', 'phone_e164' | 'code_hash' | 'tries'>

/** Counts one try and returns the code to compare; null when there is none that may be tried. */
export async function takeTry(tx: Queryable, principalId: string, now: Date): Promise<OpenCode | null> {
  const [row] = await tx.query<OpenCode>(
    sql`UPDATE phone_codes SET tries = tries + 1
      WHERE principal_id = ${principalId} AND expires_at > ${now} AND tries < ${CODE_TRIES_MAX}
      RETURNING phone_e164, code_hash, tries`,
  )
  return row ?? null
}

/** Returns the end of the validity of the code for this phone; null when there is none that may be tried. */
export async function findCodeExpiry(
  db: Queryable,
  principalId: string,
  { phone, now }: { readonly phone: string; readonly now: Date },
): Promise<Date | null> {
  const [row] = await db.query<Row<'PhoneCode', 'expires_at'>>(
    sql`SELECT expires_at FROM phone_codes
      WHERE principal_id = ${principalId} AND phone_e164 = ${phone} AND expires_at > ${now} AND tries < ${CODE_TRIES_MAX}`,
  )
  return row?.expires_at ?? null
}

/** Deletes the person's code, which was used or whose person is erased. */
export async function deletePhoneCode(tx: Queryable, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM phone_codes WHERE principal_id = ${principalId}`)
}

/** Deletes codes that have expired. */
export function sweepPhoneCodes(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('phoneCodes', now)
  return countSwept(
    db,
    sql`DELETE FROM phone_codes WHERE principal_id IN
       (SELECT principal_id FROM phone_codes WHERE ${oldestSql(sql`expires_at`, before)})`,
  )
}

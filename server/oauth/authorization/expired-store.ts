import type { Database } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

interface Expiry {
  readonly now: Date
  /** Codes and links that expired after this are still known, so that a second use is noticed. */
  readonly usedBefore: Date
  /** How many of a kind are deleted at a time. */
  readonly most: number
}

/** Deletes pushed requests, codes and magic links that have expired, oldest first. */
export async function deleteExpiredRequests(db: Database, { now, usedBefore, most }: Expiry): Promise<void> {
  await db.query(
    sql`DELETE FROM pushed_requests WHERE handle_hash IN
       (SELECT handle_hash FROM pushed_requests WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${most})`,
  )
  await db.query(
    sql`DELETE FROM authorization_codes WHERE code_hash IN
       (SELECT code_hash FROM authorization_codes WHERE expires_at < ${usedBefore} ORDER BY expires_at LIMIT ${most})`,
  )
  await db.prisma.magicLink.deleteMany({ where: { expires_at: { lt: usedBefore } } })
}

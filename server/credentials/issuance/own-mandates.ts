import type { Call } from '../../base/core/call'
import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { needsPasskey, passkeyKeySql, readPasskeyStatus, webauthnRelyingParty } from '../../identity/passkeys'

/** A service mandate that a person offered to a wallet app of their own, so that it may approve purchases. */
type OwnMandate = Row<'IssuedCredential', 'id' | 'passkey_id'>

interface Holder {
  readonly principalId: string
}

type ReadCall = Pick<Call, 'platform' | 'now'>

/** Returns whether the person holds a mandate that approves purchases now. */
export async function hasOwnMandate(call: ReadCall, holder: Holder): Promise<boolean> {
  const { db } = call.platform
  const mandates = await db.query<OwnMandate>(activeSql(holder, call.now))
  return mandates.length > 0 && (await someCounts(db, call, { ...holder, mandates }))
}

/**
 * Locks a mandate, and returns whether it approves purchases of the person: a revocation waits for the commit. The
 * caller holds the person's lock.
 */
export async function lockOwnMandate(
  tx: Transaction,
  call: ReadCall,
  { id, principalId }: Holder & { readonly id: string },
): Promise<boolean> {
  await tx.query(sql`SELECT 1 FROM issued_credentials WHERE id = ${id} FOR SHARE`)
  const mandates = await tx.query<OwnMandate>(sql`${activeSql({ principalId }, call.now)} AND c.id = ${id}`)
  return mandates.length > 0 && (await someCounts(tx, call, { principalId, mandates }))
}

/**
 * SQL statement: the active mandates. The passkey that confirmed one must still be registered: removing it also ends
 * the mandate.
 */
const activeSql = ({ principalId }: Holder, now: Date): Sql =>
  sql`SELECT c.id, c.passkey_id FROM approving_credentials c
       WHERE c.principal_id = ${principalId} AND c.expires_at > ${now}
         AND (c.passkey_id IS NULL OR ${passkeyKeySql(sql`c.passkey_id`)} IS NOT NULL)`

/**
 * Returns whether any mandate may approve. When the person needs a passkey to confirm, it must have been confirmed with
 * one.
 */
async function someCounts(
  db: Queryable,
  { platform }: ReadCall,
  { principalId, mandates }: Holder & { readonly mandates: readonly OwnMandate[] },
): Promise<boolean> {
  if (mandates.some(({ passkey_id: passkeyId }) => passkeyId !== null)) return true
  return !needsPasskey(await readPasskeyStatus(db, principalId), webauthnRelyingParty(platform.config))
}

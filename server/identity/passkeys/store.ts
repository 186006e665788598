import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

export interface PasskeyRow {
  id: string
  principal_id: string
  /** The COSE key as hexadecimal digits. */
  public_key: string
  transports: string[]
  backed_up: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

const columns = sql`k.id, k.principal_id, encode(k.public_key, 'hex') AS public_key, k.transports, k.backed_up, k.name,
  k.created_at, k.last_used_at`

/** The person's passkeys, oldest first. */
export function findPasskeys(db: Queryable, principalId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    sql`SELECT ${columns} FROM passkeys k WHERE k.principal_id = ${principalId} ORDER BY k.created_at, k.id`,
  )
}

/** The passkey with this id, unless its person was erased. */
export async function findPasskey(db: Queryable, id: string): Promise<PasskeyRow | null> {
  const [row] = await db.query<PasskeyRow>(
    sql`SELECT ${columns} FROM passkeys k JOIN principals p ON p.id = k.principal_id WHERE k.id = ${id} AND NOT p.erased`,
  )
  return row ?? null
}

/** What decides how a person confirms, and which passkeys they may remove. */
export interface PasskeyStatus {
  /** How many the person has. */
  passkeys: number
  /** Whether the person has set that approvals need one. */
  required: boolean
  email: string | null
  display_name: string | null
}

export async function getPasskeyStatus(db: Queryable, principalId: string): Promise<PasskeyStatus> {
  const [row] = await db.query<PasskeyStatus>(
    sql`SELECT (SELECT count(*)::int FROM passkeys k WHERE k.principal_id = p.id) AS passkeys,
            p.passkey_required AS required, p.email, p.display_name
       FROM principals p WHERE p.id = ${principalId}`,
  )
  return row ?? { passkeys: 0, required: false, email: null, display_name: null }
}

export interface NewPasskey {
  readonly id: string
  readonly principalId: string
  /** Hexadecimal digits. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly deviceType: 'single_device' | 'multi_device'
  readonly backedUp: boolean
  readonly name: string
  readonly now: Date
}

/** Returns whether the credential was new. */
export async function insertPasskey(tx: Queryable, passkey: NewPasskey): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO passkeys (id, principal_id, public_key, counter, transports, device_type, backed_up, name, created_at)
     VALUES (${passkey.id}, ${passkey.principalId}, decode(${passkey.publicKey}, 'hex'), ${passkey.counter}, ${JSON.stringify(passkey.transports)}::jsonb, ${passkey.deviceType}, ${passkey.backedUp}, ${passkey.name}, ${passkey.now}) ON CONFLICT (id) DO NOTHING RETURNING id`,
  )
  return rows.length === 1
}

interface PasskeyUse {
  readonly principalId: string
  readonly counter: number
  readonly backedUp: boolean
  readonly now: Date
}

/**
 * Records a use, unless the signature counter did not grow, which means that the key was copied (WebAuthn section 6.1.1).
 * Authenticators without a counter always send 0. Returns whether the use was recorded.
 */
export async function notePasskeyUse(
  db: Queryable,
  id: string,
  { principalId, counter, backedUp, now }: PasskeyUse,
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE passkeys SET counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${now}
      WHERE id = ${id} AND principal_id = ${principalId} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) RETURNING id`,
  )
  return rows.length === 1
}

export async function savePasskeyName(db: Queryable, id: string, principalId: string, name: string): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE passkeys SET name = ${name} WHERE id = ${id} AND principal_id = ${principalId} RETURNING id`,
  )
  return rows.length === 1
}

/** Returns the name of the deleted passkey, or null when the person has none with this id. */
export async function deletePasskey(tx: Queryable, id: string, principalId: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(
    sql`DELETE FROM passkeys WHERE id = ${id} AND principal_id = ${principalId} RETURNING name`,
  )
  return row?.name ?? null
}

/** Returns how many were deleted. */
export async function deletePasskeysOf(tx: Queryable, principalId: string): Promise<number> {
  return (await tx.query(sql`DELETE FROM passkeys WHERE principal_id = ${principalId} RETURNING id`)).length
}

/** Returns whether the setting has changed. */
export async function saveRequirement(tx: Queryable, principalId: string, required: boolean): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE principals SET passkey_required = ${required} WHERE id = ${principalId} AND passkey_required <> ${required} RETURNING id`,
  )
  return rows.length === 1
}

/** The public key of a passkey as hexadecimal digits, as an expression of a statement; NULL when there is no such passkey. */
export const passkeyKeySql = (id: Sql): Sql =>
  sql`(SELECT encode(k.public_key, 'hex') FROM passkeys k WHERE k.id = ${id})`

import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'

const listedColumns = {
  id: true,
  transports: true,
  backed_up: true,
  name: true,
  created_at: true,
  last_used_at: true,
} as const

export type ListedPasskey = Row<'Passkey', keyof typeof listedColumns, { transports: string[] }>

/** Returns the person's passkeys, oldest first. */
export async function listPasskeysOf(db: Database, principalId: string): Promise<ListedPasskey[]> {
  const rows = await db.prisma.passkey.findMany({
    select: listedColumns,
    where: { principal_id: principalId },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => rowOf<ListedPasskey>(row))
}

/** The key that verifies a passkey's signatures: a COSE key as hexadecimal digits. */
export type PasskeyKey = Row<'Passkey', 'id' | 'principal_id' | 'created_at'> & { public_key: string }

/** Returns the passkey with this id; null when it is unknown or its person was erased. */
export async function findPasskey(db: Queryable, id: string): Promise<PasskeyKey | null> {
  const [row] = await db.query<PasskeyKey>(
    sql`SELECT k.id, k.principal_id, k.created_at, encode(k.public_key, 'hex') AS public_key
       FROM passkeys k JOIN active_principals p ON p.id = k.principal_id WHERE k.id = ${id}`,
  )
  return row ?? null
}

/** The facts that decide how a person confirms, and which passkeys they may remove. */
export interface PasskeyStatus {
  /** The number of the person's passkeys. */
  passkeys: number
  /** Whether the person requires a passkey for approvals. */
  required: boolean
  email: string | null
  display_name: string | null
}

/** Returns the facts that decide how a person confirms; no passkeys and no address for an unknown person. */
export async function readPasskeyStatus(db: Queryable, principalId: string): Promise<PasskeyStatus> {
  const [row] = await db.query<PasskeyStatus>(
    sql`SELECT (SELECT count(*)::int FROM passkeys k WHERE k.principal_id = p.id) AS passkeys,
            p.passkey_required AS required, p.email, p.display_name
       FROM principal_profiles p WHERE p.id = ${principalId}`,
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

/** Inserts a passkey. Returns whether it was new. */
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
 * Records a use, unless the signature counter did not grow, which shows that the key was copied (WebAuthn section
 * 6.1.1). Authenticators without a counter always send 0. Returns whether the use was recorded.
 */
export async function savePasskeyUse(
  db: Database,
  id: string,
  { principalId, counter, backedUp, now }: PasskeyUse,
): Promise<boolean> {
  const { count } = await db.prisma.passkey.updateMany({
    where: { id, principal_id: principalId, counter: counter === 0 ? 0 : { lt: counter } },
    data: { counter, backed_up: backedUp, last_used_at: now },
  })
  return count === 1
}

/** Renames a passkey. Returns whether the person has it. */
export async function savePasskeyName(db: Database, id: string, principalId: string, name: string): Promise<boolean> {
  const { count } = await db.prisma.passkey.updateMany({ where: { id, principal_id: principalId }, data: { name } })
  return count === 1
}

/** Deletes a passkey and returns its name; null when the person has none with this id. */
export async function deletePasskey(tx: Queryable, id: string, principalId: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(
    sql`DELETE FROM passkeys WHERE id = ${id} AND principal_id = ${principalId} RETURNING name`,
  )
  return row?.name ?? null
}

/** Deletes the person's passkeys. Returns how many there were. */
export async function deletePasskeysOf(tx: Queryable, principalId: string): Promise<number> {
  return (await tx.query(sql`DELETE FROM passkeys WHERE principal_id = ${principalId} RETURNING id`)).length
}

/** Deletes the passkeys that were added at this instant or later. */
export async function deletePasskeysSince(tx: Queryable, principalId: string, since: Date): Promise<void> {
  await tx.query(sql`DELETE FROM passkeys WHERE principal_id = ${principalId} AND created_at >= ${since}`)
}

/** SQL expression: the public key of a passkey as hexadecimal digits; NULL when there is no such passkey. */
export const passkeyKeySql = (id: Sql): Sql =>
  sql`(SELECT encode(k.public_key, 'hex') FROM passkeys k WHERE k.id = ${id})`

import type { Queryable } from '../core/platform'

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

const columns = `k.id, k.principal_id, encode(k.public_key, 'hex') AS public_key, k.transports, k.backed_up, k.name,
  k.created_at, k.last_used_at`

/** The person's passkeys, oldest first. */
export function findPasskeys(db: Queryable, principalId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    `SELECT ${columns} FROM passkeys k WHERE k.principal_id = $1 ORDER BY k.created_at, k.id`,
    [principalId],
  )
}

/** The passkey with this id, unless its person was erased. */
export async function findPasskey(db: Queryable, id: string): Promise<PasskeyRow | null> {
  const [row] = await db.query<PasskeyRow>(
    `SELECT ${columns} FROM passkeys k JOIN principals p ON p.id = k.principal_id WHERE k.id = $1 AND NOT p.erased`,
    [id],
  )
  return row ?? null
}

/** What decides how a person confirms and what they may give up. */
export interface Standing {
  passkeys: number
  required: boolean
  email: string | null
  display_name: string | null
}

export async function readStanding(db: Queryable, principalId: string): Promise<Standing> {
  const [row] = await db.query<Standing>(
    `SELECT (SELECT count(*)::int FROM passkeys k WHERE k.principal_id = p.id) AS passkeys,
            p.passkey_required AS required, p.email, p.display_name
       FROM principals p WHERE p.id = $1`,
    [principalId],
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
    `INSERT INTO passkeys (id, principal_id, public_key, counter, transports, device_type, backed_up, name, created_at)
     VALUES ($1, $2, decode($3, 'hex'), $4, $5::jsonb, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING id`,
    [
      passkey.id,
      passkey.principalId,
      passkey.publicKey,
      passkey.counter,
      JSON.stringify(passkey.transports),
      passkey.deviceType,
      passkey.backedUp,
      passkey.name,
      passkey.now,
    ],
  )
  return rows.length === 1
}

interface Use {
  readonly principalId: string
  readonly counter: number
  readonly backedUp: boolean
  readonly now: Date
}

/**
 * Notes a use, unless the signature counter went back: then somebody holds a copy of the key (WebAuthn section 6.1.1).
 * Authenticators without a counter always say 0.
 */
export async function notePasskeyUse(
  db: Queryable,
  id: string,
  { principalId, counter, backedUp, now }: Use,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE passkeys SET counter = $3, backed_up = $4, last_used_at = $5
      WHERE id = $1 AND principal_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0)) RETURNING id`,
    [id, principalId, counter, backedUp, now],
  )
  return rows.length === 1
}

export async function savePasskeyName(db: Queryable, id: string, principalId: string, name: string): Promise<boolean> {
  const rows = await db.query('UPDATE passkeys SET name = $3 WHERE id = $1 AND principal_id = $2 RETURNING id', [
    id,
    principalId,
    name,
  ])
  return rows.length === 1
}

/** Returns the name of what was removed. */
export async function deletePasskey(tx: Queryable, id: string, principalId: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(
    'DELETE FROM passkeys WHERE id = $1 AND principal_id = $2 RETURNING name',
    [id, principalId],
  )
  return row?.name ?? null
}

/** Returns how many there were. */
export async function deletePasskeysOf(tx: Queryable, principalId: string): Promise<number> {
  return (await tx.query('DELETE FROM passkeys WHERE principal_id = $1 RETURNING id', [principalId])).length
}

/** Returns whether that was a change. */
export async function saveRequirement(tx: Queryable, principalId: string, required: boolean): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE principals SET passkey_required = $2 WHERE id = $1 AND passkey_required <> $2 RETURNING id',
    [principalId, required],
  )
  return rows.length === 1
}

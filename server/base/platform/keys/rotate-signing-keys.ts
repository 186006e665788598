import { failpoint } from '../../core/failpoints'
import { type KeyPurpose, keyPurposes, type Platform, type Transaction } from '../../core/platform'
import type { Row } from '../../core/rows'
import { sql } from '../../core/sql'
import { insertSigningKey, newSigningKey, SIGNING_KEYS_TOPIC } from './keyring'

/** The present kids of a purpose. */
export interface RotatedKey {
  readonly purpose: KeyPurpose
  readonly current: string
  readonly next: string
}

/** Reports a rotation, last in its transaction: the keys after it, and the kids that signed before. */
type RecordRotation = (tx: Transaction, keys: readonly RotatedKey[], before: readonly string[]) => Promise<void>

/**
 * Rotates the keys of each purpose: current to retired, next to current, and a new next. Signatures of the old key stay
 * valid, and the new one has been published since it became next, so no waiting is needed.
 */
export async function rotateSigningKeys(
  platform: Pick<Platform, 'db' | 'sealer' | 'clock' | 'cache'>,
  purposes: readonly KeyPurpose[] = keyPurposes,
  record?: RecordRotation,
): Promise<RotatedKey[]> {
  const now = platform.clock.now()
  const rotated = await platform.db.transaction(async (tx) => {
    const keys: RotatedKey[] = []
    const before: string[] = []
    for (const purpose of purposes) {
      before.push(...(await retireCurrent(tx, purpose, now)))
      await failpoint('keys.mid_rotate')
      keys.push(await advance(tx, platform, { purpose, now }))
    }
    await record?.(tx, keys, before)
    return keys
  })
  await platform.cache.publish(SIGNING_KEYS_TOPIC)
  return rotated
}

/**
 * Blocks a key whose private part may be known to others: its signatures become invalid, and it is no longer published.
 * The next key replaces it where it was current. Returns null for an unknown kid; blocking again changes nothing.
 * `record` receives the former state, last in the transaction.
 */
export async function blockSigningKey(
  platform: Pick<Platform, 'db' | 'sealer' | 'clock' | 'cache'>,
  kid: string,
  record?: (tx: Transaction, before: string) => Promise<void>,
): Promise<RotatedKey | null> {
  const now = platform.clock.now()
  const rotated = await platform.db.transaction(async (tx) => {
    const [key] = await tx.query<Row<'SigningKey', 'purpose' | 'state', { purpose: KeyPurpose }>>(
      sql`SELECT purpose, state FROM signing_keys WHERE kid = ${kid} FOR UPDATE`,
    )
    if (key === undefined) return null
    const { purpose } = key
    await tx.query(
      sql`UPDATE signing_keys SET state = 'blocked', retired_at = coalesce(retired_at, ${now}) WHERE kid = ${kid}`,
    )
    if (key.state === 'current') await advance(tx, platform, { purpose, now })
    if (key.state === 'next')
      await insertSigningKey(tx, await newSigningKey(purpose, platform.sealer), { state: 'next', at: now })
    const keys = await findRotatedKey(tx, purpose)
    await record?.(tx, key.state)
    return keys
  })
  await platform.cache.publish(SIGNING_KEYS_TOPIC)
  return rotated
}

/** Makes the next key current where none is, and creates a new next one. */
async function advance(
  tx: Transaction,
  { sealer }: Pick<Platform, 'sealer'>,
  { purpose, now }: { purpose: KeyPurpose; now: Date },
): Promise<RotatedKey> {
  const current = await promoteNext(tx, purpose, now)
  const fresh = await newSigningKey(purpose, sealer)
  await insertSigningKey(tx, fresh, { state: 'next', at: now })
  return { purpose, current, next: fresh.kid }
}

async function findRotatedKey(tx: Transaction, purpose: KeyPurpose): Promise<RotatedKey> {
  const rows = await tx.query<Row<'SigningKey', 'kid' | 'state'>>(
    sql`SELECT kid, state FROM signing_keys WHERE purpose = ${purpose} AND state IN ('current', 'next')`,
  )
  const kidOf = (state: string) => rows.find((row) => row.state === state)?.kid ?? ''
  return { purpose, current: kidOf('current'), next: kidOf('next') }
}

async function retireCurrent(tx: Transaction, purpose: KeyPurpose, now: Date): Promise<string[]> {
  const rows = await tx.query<Row<'SigningKey', 'kid'>>(
    sql`UPDATE signing_keys SET state = 'retired', retired_at = ${now} WHERE purpose = ${purpose} AND state = 'current' RETURNING kid`,
  )
  return rows.map(({ kid }) => kid)
}

async function promoteNext(tx: Transaction, purpose: KeyPurpose, now: Date): Promise<string> {
  const [row] = await tx.query<Row<'SigningKey', 'kid'>>(
    sql`UPDATE signing_keys SET state = 'current', activated_at = ${now} WHERE purpose = ${purpose} AND state = 'next' RETURNING kid`,
  )
  if (!row) throw new Error(`There is no next ${purpose} key to rotate to.`)
  return row.kid
}

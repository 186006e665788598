import type { KeyPurpose, Platform, Transaction } from '@/server/core/platform'
import { keyPurposes } from '@/server/core/platform'
import { insertSigningKey, newSigningKey, SIGNING_KEYS_TOPIC } from './keyring'

/** The kids of a purpose after a rotation. */
export interface RotatedKey {
  readonly purpose: KeyPurpose
  readonly current: string
  readonly next: string
}

/**
 * Moves each purpose on by one key: current to retired, next to current, and a new next. What the old key signed keeps
 * verifying, and the new one has been published since it became next, so nothing has to wait.
 */
export async function rotateSigningKeys(
  platform: Pick<Platform, 'db' | 'sealer' | 'clock' | 'cache'>,
  purposes: readonly KeyPurpose[] = keyPurposes,
): Promise<RotatedKey[]> {
  const now = platform.clock.now()
  const rotated = await platform.db.transaction(async (tx) => {
    const keys: RotatedKey[] = []
    for (const purpose of purposes) {
      const fresh = newSigningKey(purpose, platform.sealer)
      await retireCurrent(tx, purpose, now)
      const current = await promoteNext(tx, purpose, now)
      await insertSigningKey(tx, fresh, { state: 'next', at: now })
      keys.push({ purpose, current, next: fresh.kid })
    }
    return keys
  })
  await platform.cache.publish(SIGNING_KEYS_TOPIC)
  return rotated
}

async function retireCurrent(tx: Transaction, purpose: KeyPurpose, now: Date): Promise<void> {
  await tx.query(
    `UPDATE signing_keys SET state = 'retired', retired_at = $2 WHERE purpose = $1 AND state = 'current'`,
    [purpose, now],
  )
}

async function promoteNext(tx: Transaction, purpose: KeyPurpose, now: Date): Promise<string> {
  const [row] = await tx.query<{ kid: string }>(
    `UPDATE signing_keys SET state = 'current', activated_at = $2 WHERE purpose = $1 AND state = 'next' RETURNING kid`,
    [purpose, now],
  )
  if (!row) throw new Error(`There is no next ${purpose} key to rotate to.`)
  return row.kid
}

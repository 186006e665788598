import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../../base/core/platform'
import { stateIn } from '../../base/core/settlement-state'
import { sql } from '../../base/core/sql'
import { FREEZE_WAIT_MILLISECONDS } from './bounds'

const LOOK_MILLISECONDS = 25
const LOOKS = FREEZE_WAIT_MILLISECONDS / LOOK_MILLISECONDS

/** Resolves once no payment of the person is being submitted to the processor, or after five seconds. */
export async function awaitSubmitted(db: Queryable, principalId: string): Promise<void> {
  for (let look = 0; look < LOOKS && (await isSubmitting(db, principalId)); look++) await delay(LOOK_MILLISECONDS)
}

async function isSubmitting(db: Queryable, principalId: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 FROM settlements WHERE principal_id = ${principalId} AND state ${stateIn(['reserved', 'submitting'])} LIMIT 1`,
  )
  return rows.length > 0
}

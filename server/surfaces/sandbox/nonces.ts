import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Database, Platform } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { sha256Base64url } from '../../base/protocol/encoding'

/** The time within which a merchant's nonce must be presented. */
export const NONCE_TTL_SECONDS = 120
/** The time for which a presentation may be repeated after it has used its nonce. */
const REPEATED_FOR_SECONDS = 86_400
const NONCE_BYTES = 24

/** Returns the audience of the nonces of /merchant_test/nonce: a verifier for any merchant. */
export function testVerifier({ config }: Pick<Platform, 'config'>): string {
  return `${config.baseUrl}/merchant_test`
}

/** A nonce, and the verifiers that accept it. */
export interface NonceUse {
  readonly nonce: string
  /** The verifiers of which one must have issued it. */
  readonly verifiers: readonly string[]
}

type NonceCall = Pick<AnonymousCall, 'platform' | 'now'>

/** Makes a nonce for one presentation to `verifier`. Only its hash is stored. */
export async function issueNonce({ platform, now }: NonceCall, verifier: string): Promise<string> {
  const nonce = platform.random.token(NONCE_BYTES)
  const expiresAt = new Date(now.getTime() + NONCE_TTL_SECONDS * 1000)
  await platform.db.query(
    sql`INSERT INTO sandbox_merchant_nonces (nonce_hash, merchant_audience, expires_at)
       VALUES (${sha256Base64url(nonce)}, ${verifier}, ${expiresAt})`,
  )
  return nonce
}

type NonceRow = Row<'SandboxMerchantNonce', 'used_at' | 'presentation_hash' | 'idempotency_key'>

const isLive = ({ nonce, verifiers }: NonceUse, now: Date): Sql =>
  sql`nonce_hash = ${sha256Base64url(nonce)} AND merchant_audience = ANY(${[...verifiers]}) AND expires_at > ${now}`

async function findNonce({ platform, now }: NonceCall, use: NonceUse): Promise<NonceRow | undefined> {
  const [row] = await platform.db.query<NonceRow>(
    sql`SELECT used_at, presentation_hash, idempotency_key FROM sandbox_merchant_nonces WHERE ${isLive(use, now)}`,
  )
  return row
}

/**
 * Returns when the presentation arrived: now while the nonce is unused, earlier when the same presentation, byte for
 * byte, has used it. Null when no verifier issued the nonce, it has expired, or another presentation has used it.
 */
export async function findPresentedAt(call: NonceCall, use: NonceUse, presentation: string): Promise<Date | null> {
  const row = await findNonce(call, use)
  if (row === undefined) return null
  if (row.used_at === null) return call.now
  return row.presentation_hash === sha256Base64url(presentation) ? row.used_at : null
}

/** The presentation that consumes a nonce, with its idempotency key. */
export interface Presented extends NonceUse {
  readonly presentation: string
  readonly idempotencyKey: string
}

/**
 * Consumes the nonce in one statement: of parallel presentations, one gets true. The same presentation under the same
 * key is a repetition and gets true again, for a day.
 * @throws 409 idempotency_conflict when the presentation came under another key
 */
export async function consumeNonce(call: NonceCall, presented: Presented): Promise<boolean> {
  const { platform, now } = call
  const presentationHash = sha256Base64url(presented.presentation)
  const repeatableUntil = new Date(now.getTime() + REPEATED_FOR_SECONDS * 1000)
  const consumed = await platform.db.query(
    sql`UPDATE sandbox_merchant_nonces SET used_at = ${now}, presentation_hash = ${presentationHash},
         idempotency_key = ${presented.idempotencyKey}, expires_at = ${repeatableUntil}
       WHERE ${isLive(presented, now)} AND used_at IS NULL RETURNING nonce_hash`,
  )
  if (consumed.length === 1) return true
  const used = await findNonce(call, presented)
  if (used?.presentation_hash !== presentationHash) return false
  if (used.idempotency_key === presented.idempotencyKey) return true
  throw new ServiceError('idempotency_conflict', 'The presentation was used with another idempotency key.')
}

/** Deletes nonces that have expired. */
export function sweepSandboxNonces(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM sandbox_merchant_nonces WHERE nonce_hash IN
       (SELECT nonce_hash FROM sandbox_merchant_nonces WHERE ${oldestSql(sql`expires_at`, sweptBefore('sandboxNonces', now))})`,
  )
}

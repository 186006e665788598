import type { AnonymousCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { sha256Base64url } from '../../base/protocol/encoding'

/** How long a merchant's nonce may wait for the presentation that it is made for. */
export const NONCE_TTL_SECONDS = 120
const NONCE_BYTES = 24

/** Whose nonces /merchant_test/nonce gives out: a verifier's that stands in for any merchant. */
export function testVerifier({ config }: Pick<Platform, 'config'>): string {
  return `${config.baseUrl}/merchant_test`
}

/** A nonce and who may be shown it. */
export interface NonceUse {
  readonly nonce: string
  /** The verifiers whose nonce it may be. */
  readonly verifiers: readonly string[]
}

type NonceCall = Pick<AnonymousCall, 'platform' | 'now'>

/** Makes a nonce for one presentation to `verifier`. Only its hash is kept. */
export async function issueNonce({ platform, now }: NonceCall, verifier: string): Promise<string> {
  const nonce = platform.random.token(NONCE_BYTES)
  const expiresAt = new Date(now.getTime() + NONCE_TTL_SECONDS * 1000)
  await platform.db.query(
    sql`INSERT INTO sandbox_merchant_nonces (nonce_hash, merchant_audience, expires_at) VALUES (${sha256Base64url(nonce)}, ${verifier}, ${expiresAt})`,
  )
  return nonce
}

/** Whether one of the verifiers gave the nonce out and nobody has used it; uses nothing up. */
export async function isNonceLive({ platform, now }: NonceCall, { nonce, verifiers }: NonceUse): Promise<boolean> {
  const rows = await platform.db.query(
    sql`SELECT 1 FROM sandbox_merchant_nonces WHERE nonce_hash = ${sha256Base64url(nonce)} AND merchant_audience = ANY (${verifiers}::text[]) AND expires_at > ${now}`,
  )
  return rows.length === 1
}

/** Uses the nonce up in one statement: of any number of callers at once, one gets true. */
export async function consumeNonce({ platform, now }: NonceCall, { nonce, verifiers }: NonceUse): Promise<boolean> {
  const rows = await platform.db.query(
    sql`DELETE FROM sandbox_merchant_nonces
      WHERE nonce_hash = ${sha256Base64url(nonce)} AND merchant_audience = ANY (${verifiers}::text[]) AND expires_at > ${now} RETURNING nonce_hash`,
  )
  return rows.length === 1
}

/** Deletes the nonces that have run out. Returns how many. */
export async function sweepSandboxNonces(platform: Platform): Promise<number> {
  const rows = await platform.db.query(
    sql`DELETE FROM sandbox_merchant_nonces WHERE expires_at <= ${platform.clock.now()} RETURNING nonce_hash`,
  )
  return rows.length
}

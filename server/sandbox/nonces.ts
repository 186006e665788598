import type { AnonymousCall } from '../core/call'
import type { Platform } from '../core/platform'
import { sha256Base64url } from '../protocol/encoding'

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
    'INSERT INTO sandbox_merchant_nonces (nonce_hash, merchant_audience, expires_at) VALUES ($1, $2, $3)',
    [sha256Base64url(nonce), verifier, expiresAt],
  )
  return nonce
}

/** Whether one of the verifiers gave the nonce out and nobody has used it; uses nothing up. */
export async function isNonceLive({ platform, now }: NonceCall, { nonce, verifiers }: NonceUse): Promise<boolean> {
  const rows = await platform.db.query(
    'SELECT 1 FROM sandbox_merchant_nonces WHERE nonce_hash = $1 AND merchant_audience = ANY ($2::text[]) AND expires_at > $3',
    [sha256Base64url(nonce), verifiers, now],
  )
  return rows.length === 1
}

/** Uses the nonce up in one statement: of any number of callers at once, one gets true. */
export async function consumeNonce({ platform, now }: NonceCall, { nonce, verifiers }: NonceUse): Promise<boolean> {
  const rows = await platform.db.query(
    `DELETE FROM sandbox_merchant_nonces
      WHERE nonce_hash = $1 AND merchant_audience = ANY ($2::text[]) AND expires_at > $3 RETURNING nonce_hash`,
    [sha256Base64url(nonce), verifiers, now],
  )
  return rows.length === 1
}

/** Deletes the nonces that have run out. Returns how many. */
export async function sweepSandboxNonces(platform: Platform): Promise<number> {
  const rows = await platform.db.query(
    'DELETE FROM sandbox_merchant_nonces WHERE expires_at <= $1 RETURNING nonce_hash',
    [platform.clock.now()],
  )
  return rows.length
}

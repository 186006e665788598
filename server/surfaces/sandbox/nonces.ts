import type { AnonymousCall } from '../../base/core/call'
import type { Database, Platform } from '../../base/core/platform'
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

/** Makes a nonce for one presentation to `verifier`. Only its hash is stored. */
export async function issueNonce({ platform, now }: NonceCall, verifier: string): Promise<string> {
  const nonce = platform.random.token(NONCE_BYTES)
  const expiresAt = new Date(now.getTime() + NONCE_TTL_SECONDS * 1000)
  await platform.db.prisma.sandboxMerchantNonce.create({
    data: { nonce_hash: sha256Base64url(nonce), merchant_audience: verifier, expires_at: expiresAt },
  })
  return nonce
}

const unusedNonce = ({ nonce, verifiers }: NonceUse, now: Date) => ({
  nonce_hash: sha256Base64url(nonce),
  merchant_audience: { in: [...verifiers] },
  expires_at: { gt: now },
})

/** Whether one of the verifiers gave the nonce out and it is unused; uses nothing up. */
export async function isNonceLive({ platform, now }: NonceCall, use: NonceUse): Promise<boolean> {
  return (await platform.db.prisma.sandboxMerchantNonce.count({ where: unusedNonce(use, now) })) === 1
}

/** Uses the nonce up in one statement: of any number of callers at once, one gets true. */
export async function consumeNonce({ platform, now }: NonceCall, use: NonceUse): Promise<boolean> {
  const { count } = await platform.db.prisma.sandboxMerchantNonce.deleteMany({ where: unusedNonce(use, now) })
  return count === 1
}

const SWEPT_AT_ONCE = 5_000

/** Deletes nonces that have expired. */
export async function sweepSandboxNonces(db: Database, now: Date): Promise<void> {
  await db.query(
    sql`DELETE FROM sandbox_merchant_nonces WHERE nonce_hash IN
       (SELECT nonce_hash FROM sandbox_merchant_nonces WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}

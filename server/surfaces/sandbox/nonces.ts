import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Database, Platform } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { sql } from '../../base/core/sql'
import { sha256Base64url } from '../../base/protocol/encoding'

/** How long a merchant's nonce may wait for the presentation that it is made for. */
export const NONCE_TTL_SECONDS = 120
/** How long a presentation may be repeated once it has used its nonce. */
const REPEATED_FOR_SECONDS = 86_400
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

const nonceOf = ({ nonce, verifiers }: NonceUse, now: Date) => ({
  nonce_hash: sha256Base64url(nonce),
  merchant_audience: { in: [...verifiers] },
  expires_at: { gt: now },
})

/**
 * When the presentation came with this nonce: now when the nonce is unused, and earlier when the same presentation used it,
 * byte for byte. Null when no verifier gave it out, it has run out, or another presentation has used it.
 */
export async function findPresentedAt(
  { platform, now }: NonceCall,
  use: NonceUse,
  presentation: string,
): Promise<Date | null> {
  const row = await platform.db.prisma.sandboxMerchantNonce.findFirst({ where: nonceOf(use, now) })
  if (row === null || row.used_at === null) return row && now
  return row.presentation_hash === sha256Base64url(presentation) ? row.used_at : null
}

/** What a nonce is used up by. */
export interface Presented extends NonceUse {
  readonly presentation: string
  readonly idempotencyKey: string
}

/**
 * Uses the nonce up in one statement: of any number of presentations at once, one gets true. The same presentation under
 * the same key is a repeat and gets true again, for a day.
 * @throws 409 idempotency_conflict when the presentation came under another key
 */
export async function consumeNonce({ platform, now }: NonceCall, presented: Presented): Promise<boolean> {
  const { sandboxMerchantNonce: nonces } = platform.db.prisma
  const presentation_hash = sha256Base64url(presented.presentation)
  const expires_at = new Date(now.getTime() + REPEATED_FOR_SECONDS * 1000)
  const { count } = await nonces.updateMany({
    where: { ...nonceOf(presented, now), used_at: null },
    data: { used_at: now, presentation_hash, idempotency_key: presented.idempotencyKey, expires_at },
  })
  if (count === 1) return true
  const used = await nonces.findFirst({ where: { ...nonceOf(presented, now), presentation_hash } })
  if (used === null || used.idempotency_key === presented.idempotencyKey) return used !== null
  throw new ServiceError('idempotency_conflict', 'The presentation was used with another idempotency key.')
}

const SWEPT_AT_ONCE = 5_000

/** Deletes nonces that have expired. */
export async function sweepSandboxNonces(db: Database, now: Date): Promise<void> {
  await db.query(
    sql`DELETE FROM sandbox_merchant_nonces WHERE nonce_hash IN
       (SELECT nonce_hash FROM sandbox_merchant_nonces WHERE expires_at <= ${sweptBefore('sandboxNonces', now)} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}

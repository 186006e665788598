import type { Database, Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { StepUpPurpose } from './contract'

export type ChallengePurpose = StepUpPurpose | 'sign_in' | 'register'

/** The person and session that a challenge is for; both null for a sign-in, which begins without knowing the person. */
export interface ChallengeOwner {
  readonly purpose: ChallengePurpose
  readonly principalId: string | null
  readonly sessionId: string | null
}

export interface NewChallenge extends ChallengeOwner {
  readonly id: string
  readonly nonce: string
  readonly challenge: string
  readonly now: Date
  readonly ttlSeconds: number
}

export interface UsedChallenge {
  nonce: string
  challenge: string
}

export async function insertChallenge(db: Queryable, challenge: NewChallenge): Promise<void> {
  const expiresAt = new Date(challenge.now.getTime() + challenge.ttlSeconds * 1000)
  await db.query(
    sql`INSERT INTO webauthn_challenges (id, purpose, principal_id, session_id, nonce, challenge, created_at, expires_at)
     VALUES (${challenge.id}, ${challenge.purpose}, ${challenge.principalId}, ${challenge.sessionId}, ${challenge.nonce}, ${challenge.challenge}, ${challenge.now}, ${expiresAt})`,
  )
}

/** Uses up an unused, unexpired challenge of this owner; of parallel uses one wins. Null when there is no such challenge. */
export async function consumeChallenge(
  db: Queryable,
  id: string,
  { purpose, principalId, sessionId, now }: ChallengeOwner & { readonly now: Date },
): Promise<UsedChallenge | null> {
  const [row] = await db.query<UsedChallenge>(
    sql`UPDATE webauthn_challenges SET consumed_at = ${now}
      WHERE id = ${id} AND purpose = ${purpose} AND principal_id IS NOT DISTINCT FROM ${principalId} AND session_id IS NOT DISTINCT FROM ${sessionId}
        AND consumed_at IS NULL AND expires_at > ${now}
      RETURNING nonce, challenge`,
  )
  return row ?? null
}

/** Deletes challenges that have expired. */
export async function sweepChallenges(db: Database, now: Date): Promise<void> {
  await db.prisma.webauthnChallenge.deleteMany({ where: { expires_at: { lt: now } } })
}

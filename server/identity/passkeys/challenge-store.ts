import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { type Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import type { StepUpPurpose } from './contract'

/** How the start of a registration was confirmed: by the session, by another passkey, or by a recovery code. */
export type RegistrationPurpose = 'register' | 'register_further' | 'recover'
export type ChallengePurpose = StepUpPurpose | RegistrationPurpose | 'sign_in'

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

export type UsedChallenge = Row<'WebauthnChallenge', 'nonce' | 'challenge'>

export async function insertChallenge(db: Database, { now, ttlSeconds, ...challenge }: NewChallenge): Promise<void> {
  await db.prisma.webauthnChallenge.create({
    data: {
      id: challenge.id,
      purpose: challenge.purpose,
      principal_id: challenge.principalId,
      session_id: challenge.sessionId,
      nonce: challenge.nonce,
      challenge: challenge.challenge,
      created_at: now,
      expires_at: new Date(now.getTime() + ttlSeconds * 1000),
    },
  })
}

/** Consumes an unused, unexpired challenge of this owner; of parallel uses one wins. Null when there is none. */
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

export async function eraseChallenges(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(sql`DELETE FROM webauthn_challenges WHERE principal_id = ${principalId}`)
}

/** Deletes challenges that have expired. */
export function sweepChallenges(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM webauthn_challenges WHERE id IN
       (SELECT id FROM webauthn_challenges WHERE ${oldestSql(sql`expires_at`, sweptBefore('challenges', now))})`,
  )
}

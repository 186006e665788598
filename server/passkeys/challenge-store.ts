import type { Queryable } from '../core/platform'
import type { StepUpPurpose } from './contract'

export type ChallengePurpose = StepUpPurpose | 'sign_in' | 'register'

/** Who was asked; nobody is known yet when somebody signs in. */
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
    `INSERT INTO webauthn_challenges (id, purpose, principal_id, session_id, nonce, challenge, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      challenge.id,
      challenge.purpose,
      challenge.principalId,
      challenge.sessionId,
      challenge.nonce,
      challenge.challenge,
      challenge.now,
      expiresAt,
    ],
  )
}

/** Uses the challenge up, if it was made for this owner, has not run out and was not used: of parallel uses one wins. */
export async function consumeChallenge(
  db: Queryable,
  id: string,
  { purpose, principalId, sessionId, now }: ChallengeOwner & { readonly now: Date },
): Promise<UsedChallenge | null> {
  const [row] = await db.query<UsedChallenge>(
    `UPDATE webauthn_challenges SET consumed_at = $5
      WHERE id = $1 AND purpose = $2 AND principal_id IS NOT DISTINCT FROM $3 AND session_id IS NOT DISTINCT FROM $4
        AND consumed_at IS NULL AND expires_at > $5
      RETURNING nonce, challenge`,
    [id, purpose, principalId, sessionId, now],
  )
  return row ?? null
}

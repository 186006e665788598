import type { Randomness } from '../../base/core/platform'

/** A fresh `jti`: the family's id, a dot, 96 random bits. The family is what revocation looks at, so it is never stored. */
export function newTokenId(familyId: string, random: Randomness): string {
  return `${familyId}.${random.token(12)}`
}

/** The family that a `jti` of ours belongs to. */
export function familyOfTokenId(jti: string): string {
  return jti.split('.', 1)[0] ?? jti
}

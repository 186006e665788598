import type { Randomness } from '../../base/core/platform'

/**
 * Creates a `jti`: the family's id, a dot, 96 random bits. It is not stored, since revocation applies to the family.
 */
export function newTokenId(familyId: string, random: Randomness): string {
  return `${familyId}.${random.token(12)}`
}

/** Returns the family of a `jti` of this server. */
export function familyOfTokenId(jti: string): string {
  return jti.split('.', 1)[0] ?? jti
}

import type { Platform } from '../../base/core/platform'
import { dateOfEpoch, epochSeconds } from '../../base/protocol/claims'
import { type DecodedJws, decodeJws, ED25519_ALGORITHMS, verifyEddsa } from '../../base/protocol/eddsa'
import { orNull, ProtocolError } from '../../base/protocol/errors'
import { ENTITY_STATEMENT_MAX_BYTES } from '../../base/protocol/lifetimes'
import { signFederationDocument } from './statements'
import { findMark, type MarkName, recordIssuance } from './trust-mark-store'

const TRUST_MARK_TYPE = 'trust-mark+jwt'

/** Signs a mark (section 7.1) and records it. Null unless the subordinate may have it now. */
export async function issueMark(platform: Platform, name: MarkName, now: Date): Promise<string | null> {
  const { baseUrl, trustMarkTtlSeconds } = platform.config
  const iat = epochSeconds(now)
  const exp = iat + trustMarkTtlSeconds
  const generation = await recordIssuance(platform.db, { ...name, now, expiresAt: dateOfEpoch(exp) })
  if (generation === null) return null
  return signFederationDocument(platform, TRUST_MARK_TYPE, {
    iss: baseUrl,
    sub: name.sub,
    trust_mark_type: name.trustMarkId,
    trust_mark_id: name.trustMarkId,
    iat,
    exp,
    jti: `${generation}.${platform.random.token(16)}`,
  })
}

/** A mark that names this server as its issuer; its signature is not checked. */
export interface OwnMark extends MarkName {
  readonly jws: DecodedJws
}

/**
 * Returns a decoded mark, not verified: null when the text is no mark, `foreign` when this server cannot have issued
 * it, whose names contain no NUL.
 */
export function parseMark({ config }: Platform, compact: string): OwnMark | 'foreign' | null {
  const jws = decodeMark(compact)
  if (jws === null) return null
  const { iss, sub, trust_mark_id: id, trust_mark_type: type } = jws.payload
  if (iss !== config.baseUrl || typeof sub !== 'string' || typeof id !== 'string' || type !== id) return 'foreign'
  return [sub, id].some((name) => name.includes('\u0000')) ? 'foreign' : { jws, sub, trustMarkId: id }
}

function decodeMark(compact: string): DecodedJws | null {
  return orNull(() => {
    const jws = decodeJws(compact, { maxBytes: ENTITY_STATEMENT_MAX_BYTES })
    return jws.header.typ === TRUST_MARK_TYPE ? jws : null
  })
}

export type MarkStatus = 'active' | 'expired' | 'revoked' | 'invalid'

/** Returns the status of a mark, read from the ledger each time; null when none of this name was ever issued. */
export async function statusOfMark(platform: Platform, mark: OwnMark, now: Date): Promise<MarkStatus | null> {
  const state = await findMark(platform.db, mark)
  if (state === null) return null
  if (!isSigned(platform, mark.jws)) return 'invalid'
  const { jti, exp } = mark.jws.payload
  const isOfGeneration = typeof jti === 'string' && jti.startsWith(`${state.generation}.`)
  if (state.revoked_at !== null || !state.is_eligible || !isOfGeneration) return 'revoked'
  return typeof exp === 'number' && exp > epochSeconds(now) ? 'active' : 'expired'
}

function isSigned(platform: Platform, jws: DecodedJws): boolean {
  const key = platform.keys.find('federation', jws.header.kid ?? '')
  if (key === undefined) return false
  try {
    verifyEddsa(jws, { key, algorithms: ED25519_ALGORITHMS })
    return true
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}

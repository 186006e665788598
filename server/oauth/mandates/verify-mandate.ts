import type { AgentCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { isSameAudience } from '../../base/protocol/audience'
import { decodeJws } from '../../base/protocol/eddsa'
import { type MandateErrorCode, ProtocolError } from '../../base/protocol/errors'
import { verifyMandateKeyBinding } from '../../base/protocol/key-binding'
import { type MandateVerification, type VerifiedMandate, verifyMandate } from '../../base/protocol/mandate'
import { splitSdJwt } from '../../base/protocol/sd-jwt'
import { findMandate, type MandateRow } from './store'

type Expectation = Pick<MandateVerification, 'expectedAudience' | 'keyBinding' | 'offerDigest'>

function verifyIssuedHere(
  platform: Platform,
  mandate: string,
  expected: Expectation & { now: Date },
): Promise<VerifiedMandate> {
  return verifyMandate(mandate, {
    ...expected,
    issuer: platform.config.baseUrl,
    findKey: (kid) => platform.keys.find('mandate', kid),
  })
}

/**
 * Verifies a presentation for a merchant: form, signature, time, audience, key binding, offer, and the status last.
 * @throws 422 with the mandate codes of the interface
 */
export async function verifyMandatePresentation(
  platform: Platform,
  presentation: string,
  expected: Expectation & { now: Date },
): Promise<{ verified: VerifiedMandate; mandate: MandateRow }> {
  try {
    const verified = await verifyIssuedHere(platform, presentation, expected)
    const mandate = await findMandate(platform.db, verified.claims.jti)
    if (mandate === null) throw new ProtocolError('mandate_invalid', 'The mandate is not known')
    if (!mandate.active) throw new ProtocolError('mandate_status_revoked', 'The mandate has been revoked')
    return { verified, mandate }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new ServiceError(error.code as MandateErrorCode, `${error.message}.`, { cause: error })
  }
}

/**
 * Verifies the key binding, if any: it must be the holder's, for this presentation, and for this service or the
 * merchant. Settlement does not require one.
 */
async function requireValidKeyBinding(
  { config }: Platform,
  mandate: string,
  { verified: { claims }, now }: { readonly verified: VerifiedMandate; readonly now: Date },
): Promise<void> {
  const { keyBindingJwt, boundText } = splitSdJwt(mandate)
  if (keyBindingJwt === null) return
  const { aud } = decodeJws(keyBindingJwt).payload
  const isForUs = typeof aud === 'string' && isSameAudience(aud, config.baseUrl)
  await verifyMandateKeyBinding(keyBindingJwt, {
    holderKey: claims.cnf.jwk,
    audience: isForUs ? config.baseUrl : claims.aud,
    isNonceValid: () => true,
    boundText,
    now,
  })
}

/**
 * Verifies the mandate that a caller sent to settle, with or without key binding. It must be the caller's: its client
 * and key must match the token and the proof, and the token must be for this server or for the mandate's merchant.
 * @throws 401 invalid_token
 */
export async function verifyOwnMandate(
  { platform, actor, now }: AgentCall,
  mandate: string,
  holder: { readonly clientId: string; readonly jkt: string },
): Promise<MandateRow> {
  const buildError = (description: string, cause?: unknown) => new ServiceError('invalid_token', description, { cause })
  let verified: VerifiedMandate
  try {
    verified = await verifyIssuedHere(platform, mandate, { now })
    await requireValidKeyBinding(platform, mandate, { verified, now })
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw buildError(`${cause.message}.`, cause)
  }
  const { claims } = verified
  if (claims.client_id !== holder.clientId || claims.cnf.jkt !== holder.jkt) {
    throw buildError('The mandate is not bound to the caller.')
  }
  const isFor = (uri: string) => isSameAudience(uri, platform.config.baseUrl) || isSameAudience(uri, claims.aud)
  if (!actor.audience.some(isFor)) {
    throw buildError('The token is for another audience.')
  }
  const row = await findMandate(platform.db, claims.jti)
  if (row === null || !row.active) throw buildError('The mandate has been revoked.')
  return row
}

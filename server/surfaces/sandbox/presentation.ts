import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { dateOfEpoch } from '../../base/protocol/claims'
import { decodeJws } from '../../base/protocol/eddsa'
import type { JsonObject } from '../../base/protocol/encoding'
import { orNull, orNullLater } from '../../base/protocol/errors'
import { type ExpectedKeyBinding, verifyMandateKeyBinding } from '../../base/protocol/key-binding'
import { PRESENTATION_MAX_BYTES } from '../../base/protocol/lifetimes'
import { type MandateClaims, type VerifiedMandate, verifyMandate } from '../../base/protocol/mandate'
import { splitSdJwt } from '../../base/protocol/sd-jwt'
import { type MandateRow, verifyMandatePresentation } from '../../oauth/mandates'

/** The claims of a presentation before any of it is verified. */
export interface UnverifiedPresentation {
  readonly audience: string | null
  readonly nonce: string | null
}

/** Reads the claims on which verification depends. A malformed part is null; verification refuses it. */
export function parseUnverified(presentation: string): UnverifiedPresentation {
  const parts = orNull(() => splitSdJwt(presentation))
  const mandate = orNull(() => decodeJws(parts?.issuerJwt ?? '', { maxBytes: PRESENTATION_MAX_BYTES }))
  const keyBinding = orNull(() => decodeJws(parts?.keyBindingJwt ?? ''))
  return { audience: textOf(mandate?.payload['aud']), nonce: textOf(keyBinding?.payload['nonce']) }
}

/** Returns a text that the database can hold, which is one without NUL; null otherwise. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && !value.includes('\u0000') ? value : null
}

/** The merchant, nonce and offer that a presentation must be for. */
export interface ExpectedPresentation {
  readonly audience: string
  /** The nonce that the presentation must have; null when it names no valid one. */
  readonly nonce: string | null
  /** When it first arrived: its key binding must have been fresh then. */
  readonly presentedAt: Date
  readonly offerDigest?: string | undefined
}

/** A presentation with valid signatures for this merchant and nonce. The nonce is not consumed yet. */
export interface VerifiedPresentation {
  readonly claims: MandateClaims
  readonly disclosed: JsonObject
  /** The mandate, or the error why it can no longer be charged; an earlier charge is still answered then. */
  readonly mandate: MandateRow | ServiceError
}

type PresentationCall = Pick<AnonymousCall, 'platform' | 'now'>

/**
 * Verifies a presentation in the order of credentials: form, signature, time, audience, key binding, offer, status.
 * @throws 422 with the mandate codes. A lapsed mandate is refused here unless its holder presents it.
 */
export async function verifyPresentation(
  { platform, now }: PresentationCall,
  presentation: string,
  expected: ExpectedPresentation,
): Promise<VerifiedPresentation> {
  const { audience, nonce, presentedAt, offerDigest } = expected
  const keyBinding = { audience, isNonceValid: (presented: string) => presented === nonce, now: presentedAt }
  try {
    const { verified, mandate } = await verifyMandatePresentation(platform, presentation, {
      expectedAudience: audience,
      keyBinding,
      ...(offerDigest !== undefined && { offerDigest }),
      now,
    })
    return { claims: verified.claims, disclosed: verified.disclosed, mandate }
  } catch (error) {
    const hasLapsed = error instanceof ServiceError && LAPSE_CODES.includes(error.code)
    const genuine = hasLapsed ? await verifyLapsed(platform, presentation, keyBinding) : null
    if (genuine === null || !(error instanceof ServiceError)) throw error
    return { claims: genuine.claims, disclosed: genuine.disclosed, mandate: error }
  }
}

const LAPSE_CODES: readonly string[] = ['mandate_expired', 'mandate_status_revoked']

/**
 * Verifies an expired or revoked mandate as of its issue, and its holder's key binding as of its presentation; null
 * when one of them is not valid.
 */
async function verifyLapsed(
  platform: Platform,
  presentation: string,
  keyBinding: Pick<ExpectedKeyBinding, 'audience' | 'isNonceValid' | 'now'>,
): Promise<VerifiedMandate | null> {
  return orNullLater(async () => {
    const parts = splitSdJwt(presentation)
    const issuedAt = decodeJws(parts.issuerJwt, { maxBytes: PRESENTATION_MAX_BYTES }).payload['iat']
    const verified = await verifyMandate(presentation, {
      issuer: platform.config.baseUrl,
      findKey: (kid) => platform.keys.find('mandate', kid),
      expectedAudience: keyBinding.audience,
      now: typeof issuedAt === 'number' ? dateOfEpoch(issuedAt) : keyBinding.now,
    })
    await verifyMandateKeyBinding(parts.keyBindingJwt ?? '', {
      ...keyBinding,
      holderKey: verified.claims.cnf.jwk,
      boundText: parts.boundText,
    })
    return verified
  })
}

/** Returns whether the mandate can no longer be charged, although its presentation is valid. */
export function isLapsed({ mandate }: VerifiedPresentation): boolean {
  return mandate instanceof ServiceError
}

/** Returns the mandate while it can be charged. @throws the error why it cannot */
export function requireActiveMandate({ mandate }: VerifiedPresentation): MandateRow {
  if (mandate instanceof ServiceError) throw mandate
  return mandate
}

/** Builds the 422 mandate_kb_nonce_mismatch. */
export function buildNonceMismatchError(): ServiceError {
  return new ServiceError('mandate_kb_nonce_mismatch', 'The nonce of the key binding was used before or has run out.')
}

import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { dateOfEpoch } from '../../base/protocol/claims'
import { decodeJws } from '../../base/protocol/eddsa'
import type { JsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { type ExpectedKeyBinding, verifyMandateKeyBinding } from '../../base/protocol/key-binding'
import { PRESENTATION_MAX_BYTES } from '../../base/protocol/lifetimes'
import { type MandateClaims, type VerifiedMandate, verifyMandate } from '../../base/protocol/mandate'
import { splitSdJwt } from '../../base/protocol/sd-jwt'
import { type MandateRow, verifyMandatePresentation } from '../../oauth/mandates'

/** What a presentation says, before any of it is verified. */
export interface UnverifiedPresentation {
  readonly audience: string | null
  readonly nonce: string | null
}

/** Reads what verification depends on. A malformed part is null here; verification refuses it. */
export function parseUnverified(presentation: string): UnverifiedPresentation {
  const parts = orNull(() => splitSdJwt(presentation))
  const mandate = orNull(() => decodeJws(parts?.issuerJwt ?? '', { maxBytes: PRESENTATION_MAX_BYTES }))
  const keyBinding = orNull(() => decodeJws(parts?.keyBindingJwt ?? ''))
  return { audience: textOf(mandate?.payload['aud']), nonce: textOf(keyBinding?.payload['nonce']) }
}

function orNull<T>(step: () => T): T | null {
  try {
    return step()
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

/** A text that may be looked up in the database, which holds no NUL. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && !value.includes('\u0000') ? value : null
}

/** The merchant, nonce and offer that a presentation must be for. */
export interface ExpectedPresentation {
  readonly audience: string
  /** The nonce that the presentation may have; null when it names none that is active. */
  readonly nonce: string | null
  /** When it came, for a repeat the first time: its key binding must have been fresh then. */
  readonly presentedAt: Date
  readonly offerDigest?: string | undefined
}

/** A presentation whose signatures hold, for this merchant and nonce. The nonce has yet to be consumed. */
export interface VerifiedPresentation {
  readonly claims: MandateClaims
  readonly disclosed: JsonObject
  /** The mandate while it can be charged, else why it cannot; an earlier charge is still answered then. */
  readonly mandate: MandateRow | ServiceError
}

type PresentationCall = Pick<AnonymousCall, 'platform' | 'now'>

/**
 * Verifies a presentation in the order of credentials: form, signature, time, audience, key binding, offer, status.
 * @throws 422 with the mandate codes. A mandate that lapsed is only refused here when its holder does not present it.
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

/** A mandate that ran out or was revoked, as it was when it was issued, held by its holder now; null when it is not. */
async function verifyLapsed(
  platform: Platform,
  presentation: string,
  keyBinding: Pick<ExpectedKeyBinding, 'audience' | 'isNonceValid' | 'now'>,
): Promise<VerifiedMandate | null> {
  try {
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
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

/** Whether the mandate can no longer be charged, though its presentation verified. */
export function isLapsed({ mandate }: VerifiedPresentation): boolean {
  return mandate instanceof ServiceError
}

/** The mandate while it can be charged. @throws why it cannot */
export function requireActiveMandate({ mandate }: VerifiedPresentation): MandateRow {
  if (mandate instanceof ServiceError) throw mandate
  return mandate
}

/** 422 mandate_kb_nonce_mismatch. */
export function buildNonceMismatchError(): ServiceError {
  return new ServiceError('mandate_kb_nonce_mismatch', 'The nonce of the key binding was used before or has run out.')
}

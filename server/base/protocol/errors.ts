/** Why a protocol message was refused. The HTTP layer maps each code to a status. */
export type ProtocolErrorCode =
  /**
   * The text does not follow its format. Thrown by the format helpers; the `check*` and `verify*` functions that call
   * them replace the code with their own.
   */
  | 'malformed'
  /** A signature does not verify, or its algorithm or key is not acceptable. */
  | 'invalid_signature'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'invalid_client'
  | 'invalid_token'
  | 'invalid_client_metadata'
  | 'invalid_proof'
  | 'invalid_nonce'
  | FederationErrorCode
  | MandateErrorCode
  | AttestationErrorCode

/** Why a trust chain was refused. @see {@link https://openid.net/specs/openid-federation-1_0.html#section-8.9} */
export type FederationErrorCode = 'invalid_trust_chain' | 'invalid_metadata'

/** Why a mandate was refused, in the words of the merchant interface. */
export type MandateErrorCode =
  | 'mandate_invalid'
  | 'mandate_expired'
  | 'mandate_audience_mismatch'
  | 'mandate_kb_nonce_mismatch'
  | 'mandate_status_revoked'
  | 'offer_digest_mismatch'

/** Why the presentation of an attestation was refused. */
export type AttestationErrorCode =
  | 'vp_token_invalid'
  | 'presentation_expired'
  | 'holder_binding_missing'
  | 'audience_mismatch'
  | 'nonce_mismatch'

/**
 * A refusal by a protocol rule. The message may be used as `error_description`: fixed words in plain ASCII without
 * quotes or backslashes, and no part of the input.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2}
 */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode

  constructor(code: ProtocolErrorCode, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}

/** Throws a {@link ProtocolError} unless the condition holds. */
export function ensure(condition: unknown, code: ProtocolErrorCode, message: string): asserts condition {
  if (!condition) throw new ProtocolError(code, message)
}

/**
 * Runs a step and replaces the codes of the format helpers (`malformed`, `invalid_signature`) by the caller's.
 */
export function refusingAs<Result>(code: ProtocolErrorCode, step: () => Result): Result {
  try {
    return step()
  } catch (error) {
    throw renamed(error, code)
  }
}

/** {@link refusingAs} for an asynchronous step. */
export async function refusingLater<Result>(code: ProtocolErrorCode, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw renamed(error, code)
  }
}

/** Runs a step and returns null where it throws a {@link ProtocolError}. */
export function orNull<Result>(step: () => Result): Result | null {
  try {
    return step()
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

/** {@link orNull} for an asynchronous step. */
export async function orNullLater<Result>(step: () => Promise<Result>): Promise<Result | null> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

function renamed(error: unknown, code: ProtocolErrorCode): unknown {
  const isFormat = error instanceof ProtocolError && (error.code === 'malformed' || error.code === 'invalid_signature')
  return isFormat ? new ProtocolError(code, error.message) : error
}

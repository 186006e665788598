import { ServiceError } from '../../base/core/errors'
import { canonicalJson, type JsonObject, sha256Base64url } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import type { StepUpPurpose } from './contract'

/** The content of a confirmation. The challenge differs when any member does. */
export interface Commitment {
  readonly purpose: StepUpPurpose
  readonly principalId: string
  readonly subject: JsonObject
  readonly nonce: string
}

/**
 * Returns the challenge that commits to the content: SHA-256 over its canonical JSON (RFC 8785), so that a signature
 * confirms nothing else. 400 when the subject cannot be represented as JSON.
 */
export function challengeOf({ purpose, principalId, subject, nonce }: Commitment): string {
  try {
    return sha256Base64url(canonicalJson({ purpose, principal_id: principalId, subject, nonce }))
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new ServiceError('invalid_request', 'The subject cannot be represented as JSON.', { cause })
  }
}

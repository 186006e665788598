import { ServiceError } from '../core/errors'
import { canonicalJson, type JsonObject, sha256Base64url } from '../protocol/encoding'
import { ProtocolError } from '../protocol/errors'
import type { StepUpPurpose } from './contract'

/** What a person confirms: any other purpose, person, subject or nonce makes another challenge. */
export interface Commitment {
  readonly purpose: StepUpPurpose
  readonly principalId: string
  readonly subject: JsonObject
  readonly nonce: string
}

/**
 * The challenge that commits to what is confirmed: SHA-256 over its canonical JSON (RFC 8785), so that a signature for
 * one thing is worth nothing for another. 400 when the subject has no JSON form.
 */
export function challengeOf({ purpose, principalId, subject, nonce }: Commitment): string {
  try {
    return sha256Base64url(canonicalJson({ purpose, principal_id: principalId, subject, nonce }))
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new ServiceError('invalid_request', 'What is to be confirmed cannot be written as JSON.', { cause })
  }
}

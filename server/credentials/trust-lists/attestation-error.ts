import { ServiceError } from '../../base/core/errors'

/** An invalid credential of another issuer. The description may be shown to anyone. */
export class AttestationError extends ServiceError {
  constructor(code: 'vp_token_invalid', description: string, cause?: unknown) {
    super(code, description, { cause })
  }
}

import { ServiceError } from '../../base/core/errors'

/** A credential of another issuer does not hold. The words may be shown to anybody. */
export class AttestationError extends ServiceError {
  constructor(code: 'vp_token_invalid', description: string, cause?: unknown) {
    super(code, description, { cause })
  }
}

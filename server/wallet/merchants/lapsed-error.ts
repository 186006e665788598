import { ServiceError } from '../../base/core/errors'

/** Returns 400 `invalid_target`: the federation no longer verifies the merchant, so it gets no new mandate. */
export function buildLapsedError(): ServiceError {
  return new ServiceError('invalid_target', 'The merchant is not verified by the federation at present.')
}

import { ServiceError } from '../../base/core/errors'

/** 400 `invalid_target`: the federation vouched for the merchant and no longer does, so it gets no new mandate. */
export function buildLapsedError(): ServiceError {
  return new ServiceError('invalid_target', 'The merchant is not verified by the federation at present.')
}

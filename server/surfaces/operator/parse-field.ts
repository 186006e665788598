import { ValidationError } from '../../base/core/errors'
import { ProtocolError } from '../../base/protocol/errors'

/** Parses one body field. @throws 422 with an entry for the field when the protocol refuses it */
export async function parseField<Result>(field: string, parse: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await parse()
  } catch (error) {
    if (error instanceof ProtocolError) throw buildFieldError(field, error.message)
    throw error
  }
}

/** Builds the 422 for one body field. */
export function buildFieldError(field: string, message: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg: message, type: 'value_error' }])
}

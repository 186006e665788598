import { ValidationError } from '../../base/core/errors'
import { ProtocolError } from '../../base/protocol/errors'

/** Runs a protocol check of one body field; what it refuses becomes the 422 entry of that field. */
export async function checkField<Result>(field: string, check: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ProtocolError) throw fieldRefusal(field, error.message)
    throw error
  }
}

/** The 422 that says what is wrong with one body field. */
export function fieldRefusal(field: string, message: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg: message, type: 'value_error' }])
}

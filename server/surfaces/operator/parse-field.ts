import { buildFieldError } from '../../base/core/errors'
import { ProtocolError } from '../../base/protocol/errors'

/** Parses one body field. @throws 422 with an entry for the field when the protocol refuses it */
export async function parseField<Result>(field: string, parse: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await parse()
  } catch (error) {
    if (error instanceof ProtocolError) throw buildFieldError(['body', field], error.message)
    throw error
  }
}

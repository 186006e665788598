import { ServiceError, ValidationError } from '../../base/core/errors'

interface MarkQuery {
  readonly trust_mark_id?: string | undefined
  readonly trust_mark_type?: string | undefined
}

/** Returns the mark that a query names by the older or the newer parameter. 400 when it names two. */
export function markIdOf({ trust_mark_id: id, trust_mark_type: type }: MarkQuery): string | undefined {
  if (id === undefined || type === undefined || id === type) return id ?? type
  throw new ServiceError('invalid_request', 'trust_mark_id and trust_mark_type name two marks.')
}

/** Returns {@link markIdOf}, or throws 422 when the query names none. */
export function requireMarkId(query: MarkQuery): string {
  const id = markIdOf(query)
  if (id !== undefined) return id
  throw new ValidationError([{ loc: ['query', 'trust_mark_id'], msg: 'Field required', type: 'missing' }])
}

import { TRPCClientError } from '@trpc/client'

export interface RequestError {
  /** What happened, in the service's English words; null when it said nothing. */
  readonly message: string | null
  /** The service's own word, for instance `conflict`; null when it could not be reached. */
  readonly code: string | null
  readonly requestId: string | null
  /** What is wrong with which field, by the field's name. */
  readonly fields: Readonly<Record<string, string>>
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Reads whatever a call to the server ended with. */
export function readRequestError(error: unknown): RequestError {
  if (!(error instanceof TRPCClientError)) return { message: null, code: 'server_error', requestId: null, fields: {} }
  const data: unknown = error.data
  if (data === undefined || data === null) return { message: null, code: null, requestId: null, fields: {} }
  return {
    message: textOrNull(error.message),
    code: textOrNull(member(data, 'error')) ?? 'server_error',
    requestId: textOrNull(member(data, 'request_id')),
    fields: readFields(member(data, 'detail')),
  }
}

function readFields(detail: unknown): Record<string, string> {
  if (!Array.isArray(detail)) return {}
  const fields: Record<string, string> = {}
  for (const issue of detail as unknown[]) {
    const loc: unknown = member(issue, 'loc')
    const field: unknown = Array.isArray(loc) ? loc.at(-1) : undefined
    const message = textOrNull(member(issue, 'msg'))
    if (typeof field === 'string' && message !== null) fields[field] ??= message
  }
  return fields
}

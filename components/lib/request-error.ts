import { TRPCClientError } from '@trpc/client'

export interface RequestError {
  /** The service's message, in English; null when there is none. */
  readonly message: string | null
  /** The service's error code, for instance `conflict`; null when the service could not be reached. */
  readonly code: string | null
  readonly requestId: string | null
  /** The problems with the input, by the field's name. */
  readonly fields: Readonly<Record<string, string>>
}

/** What a call beside the portal's procedures ended with; `code` is null where the service could not be reached. */
export class CallError extends Error {
  override readonly name = 'CallError'
  constructor(readonly code: string | null) {
    super('The call did not succeed')
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const wordless = (code: string | null): RequestError => ({ message: null, code, requestId: null, fields: {} })

/** Reads the error that a call to the server ended with. */
export function readRequestError(error: unknown): RequestError {
  if (error instanceof CallError) return wordless(error.code)
  if (!(error instanceof TRPCClientError)) return wordless('server_error')
  const data: unknown = error.data
  if (data === undefined || data === null) return wordless(null)
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

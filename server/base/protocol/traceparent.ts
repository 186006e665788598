/** The trace and span of a caller (W3C Trace Context, section 3.2). */
export interface Traceparent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

// Version ff is forbidden; a later version may add fields after these (section 4.3 of the recommendation).
const HEADER = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Reads the header `traceparent`; null when it is missing or wrong, which is no error. */
export function parseTraceparent(header: string | null): Traceparent | null {
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = HEADER.exec(header ?? '') ?? []
  if (version === '' || (version === '00' && rest !== undefined)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

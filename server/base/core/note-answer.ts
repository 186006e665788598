import type { LogFields, Platform } from './platform'

interface Answer {
  readonly requestId: string
  /** The operation's name in the description of the API; null when the request matched none. */
  readonly operation: string | null
  readonly method: string | null
  readonly status: number
  /** The time to answer in milliseconds. */
  readonly ms: number
  /** The error code of a refusal. */
  readonly error?: string | undefined
}

/** Returns the milliseconds since a time of `performance.now()`, to a tenth. */
export const millisecondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10

/** Writes the line of an answered request into the log, with fields about its caller, and counts the answer. */
export function noteAnswer({ log, telemetry }: Platform, answer: Answer, fields: LogFields = {}): void {
  const { error, ...rest } = answer
  log.info('request', { ...rest, ...(error === undefined ? {} : { error }), ...fields })
  const operation = answer.operation ?? 'none'
  telemetry.time('requests', { operation, status: String(answer.status) }, answer.ms / 1_000)
  if (error !== undefined) telemetry.count('refusals', { operation, error })
}

/** An error whose message may be displayed: it contains no token, key or code. */
export class CountersignError extends Error {
  override readonly name: string = 'CountersignError'
  /** Advice for the caller, in addition to the message. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** An invalid command line or environment variable. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** An error response: `<step> failed: <status> <code>`. */
export class Refusal extends CountersignError {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(step: string, answer: RefusedAnswer) {
    super(refusalMessage(step, answer), answer.description)
    this.status = answer.status
    this.code = answer.code
    this.retryAfterMs = answer.retryAfterMs
  }

  /** Whether the same request can succeed later, because it was not decided. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429 || this.code === 'idempotency_in_flight'
  }

  /** Whether the bank waits for the cardholder, so that the same request succeeds once they have confirmed. */
  get asksCardholder(): boolean {
    return this.code === 'step_up_required'
  }
}

/** The status, code and texts of an error response. */
export interface RefusedAnswer {
  readonly status: number
  readonly code?: string | undefined
  readonly description?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** No response arrived, or none that can be read. Whether the request arrived is unknown. */
export class TransportFailure extends CountersignError {
  override readonly name = 'TransportFailure'
  /** The reason, without text of the peer. */
  readonly reason: string

  constructor(reason: string, step = '') {
    super(step === '' ? 'fetch failed' : `${step} failed: fetch failed`, `No usable answer: ${reason}.`)
    this.reason = reason
  }
}

/** An address that is not allowed to be called. */
export class AddressRefused extends CountersignError {
  override readonly name = 'AddressRefused'

  constructor(reason: string) {
    super(`refused address (${reason})`)
  }
}

/** The host cancelled the call or disconnected. */
export class Cancelled extends CountersignError {
  override readonly name = 'Cancelled'

  constructor() {
    super('cancelled')
  }
}

/** Returns whether the failed request may still have had its effect, or may have it when repeated. */
export function isUndecided(error: unknown): boolean {
  if (error instanceof Refusal) return error.isTransient
  return error instanceof TransportFailure || error instanceof Cancelled
}

/** Throws when the call was cancelled. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Cancelled()
}

function refusalMessage(step: string, { status, code }: RefusedAnswer): string {
  const answer = code === undefined ? String(status) : `${status} ${code}`
  return step === '' ? answer : `${step} failed: ${answer}`
}

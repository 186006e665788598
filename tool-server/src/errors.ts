/** A failure whose message may be shown: it holds no token, key or code. */
export class CountersignError extends Error {
  override readonly name: string = 'CountersignError'
  /** What the caller can do about it, apart from the message. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** A command line or an environment that cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** An answer that refuses: `<step> failed: <status> <code>`. */
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

  /** Whether the same request can succeed later, because nobody has decided it. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429 || this.code === 'idempotency_in_flight'
  }

  /** Whether the bank waits for the cardholder, so that the same request succeeds once they have confirmed. */
  get asksCardholder(): boolean {
    return this.code === 'step_up_required'
  }
}

/** What a refusing answer said. */
export interface RefusedAnswer {
  readonly status: number
  readonly code?: string | undefined
  readonly description?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** No answer came, or none that can be read. Whether the request arrived is not known. */
export class TransportFailure extends CountersignError {
  override readonly name = 'TransportFailure'
  /** Why there is none, in our own words. */
  readonly reason: string

  constructor(reason: string, step = '') {
    super(step === '' ? 'fetch failed' : `${step} failed: fetch failed`, `No usable answer: ${reason}.`)
    this.reason = reason
  }
}

/** An address that is never called. */
export class AddressRefused extends CountersignError {
  override readonly name = 'AddressRefused'

  constructor(reason: string) {
    super(`refused address (${reason})`)
  }
}

/** The host cancelled the call or went away. */
export class Cancelled extends CountersignError {
  override readonly name = 'Cancelled'

  constructor() {
    super('cancelled')
  }
}

/** Whether the request behind this failure may still have had its effect, or may have it when repeated. */
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

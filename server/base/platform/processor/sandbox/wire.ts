import type { Stripe } from 'stripe'

/** An answer of the fake; `unsaved` when a request with the same idempotency key runs again. */
export interface Answer {
  readonly status: number
  readonly body: object
  readonly unsaved?: boolean
}

interface ErrorFacts {
  readonly status: number
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
  readonly payment_intent?: Stripe.PaymentIntent
}

/** Thrown to refuse a request before anything was done: it rolls back, and its idempotency key stays unused. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal'
  constructor(readonly facts: ErrorFacts) {
    super(facts.message)
  }
}

/** Returns an answer with the error envelope of Stripe's API. */
export function errorAnswer({ status, ...error }: ErrorFacts): Answer {
  const docs = error.code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${error.code}` }
  return { status, body: { error: { ...error, ...docs } } }
}

export function refuse(message: string, facts: Partial<ErrorFacts> = {}): StripeRefusal {
  return new StripeRefusal({ status: 400, type: 'invalid_request_error', message, ...facts })
}

export function noSuch(what: string, id: string, param = 'id'): StripeRefusal {
  return refuse(`No such ${what}: '${id}'`, { status: 404, code: 'resource_missing', param })
}

/** The parameters of a request, from a query or a form, with nested names as Stripe writes them: `metadata[key]`. */
export class Params {
  readonly #values: ReadonlyMap<string, string>

  constructor(encoded: string) {
    this.#values = new Map(new URLSearchParams(encoded))
  }

  find(name: string): string | null {
    return this.#values.get(name) ?? null
  }

  get(name: string): string {
    const value = this.find(name)
    if (value === null || value === '') {
      throw refuse(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
    }
    return value
  }

  findInteger(name: string): number | null {
    const value = this.find(name)
    if (value === null) return null
    if (/^\d{1,15}$/.test(value)) return Number(value)
    throw refuse(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name })
  }

  isTrue(name: string): boolean {
    const value = this.find(name)
    if (value === null || value === 'false') return false
    if (value === 'true') return true
    throw refuse(`Invalid boolean: ${value}`, { param: name })
  }

  /** Returns the members of `name[...]` by their keys. */
  members(name: string): Record<string, string> {
    const entries = [...this.#values].filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'))
    return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]))
  }

  /** Returns the elements of `name[]` or `name[0]` in order. */
  list(name: string): string[] {
    return Object.values(this.members(name))
  }

  /** Throws for unknown parameters, as Stripe does, so that misspelt ones are noticed. */
  allowOnly(names: readonly string[]): void {
    for (const key of this.#values.keys()) {
      const root = key.split('[', 1)[0] ?? ''
      if (!names.includes(root)) {
        throw refuse(`Received unknown parameter: ${root}`, { code: 'parameter_unknown', param: root })
      }
    }
  }

  /** Returns the parameters as one text that does not depend on their order. */
  canonical(): string {
    return JSON.stringify([...this.#values].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
}

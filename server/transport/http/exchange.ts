import type { EndpointShape } from '../../base/contract/endpoint'
import type { Actor, Call } from '../../base/core/call'
import type { ErrorCode } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'

/** One HTTP request as both lanes present it. */
export interface HttpRequest {
  readonly method: string
  /** As sent, starting with a slash. */
  readonly path: string
  /** As sent, without the question mark. */
  readonly query: string
  header(name: string): string | null
  /** Where the request came from, for quotas; null when that is not known. */
  readonly address: string | null
  /** Reads the whole body; throws `body_too_large` beyond `maxBytes`. */
  body(maxBytes: number): Promise<Buffer>
  /** Whether the client has gone away, so that no answer reaches it. */
  isGone(): boolean
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  /** The code of a refusal, for the log. */
  readonly error?: ErrorCode | null
}

/**
 * A request to one operation on its way through the pipeline. Every step takes the exchange, reads what earlier steps
 * have written, and writes its own part.
 */
export interface Exchange {
  readonly platform: Platform
  readonly requestId: string
  /** The request's instant; one reading per request. */
  readonly now: Date
  readonly request: HttpRequest
  readonly endpoint: EndpointShape
  readonly verb: (call: Call, input: unknown) => Promise<unknown>
  readonly sent: SentParameters
  /** Who calls: anonymous until authenticated. */
  actor: Actor
  /** What the verb receives, once it is validated. */
  input: Readonly<Record<string, unknown>>
  /** What the verb returned. */
  result: unknown
}

/** Parameters as they were sent, before any schema: authentication and validation both read them. */
export interface SentParameters {
  /** Each percent-decoded once. */
  readonly path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | string[]>>
  body: Readonly<Record<string, unknown>>
  /** The bytes of a body that the contract wants unread. */
  rawBody: Buffer | null
  /** The SHA-256 of a form's bytes, where the contract asks for it. */
  bodyDigest: string | null
}

/** Splits a request target at its first question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

import type { EndpointShape } from '../../base/contract/endpoint'
import type { Actor, Call } from '../../base/core/call'
import type { ErrorCode } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'

/** One HTTP request in the form that both lanes provide. */
export interface HttpRequest {
  readonly method: string
  /** The path as sent, starting with a slash. */
  readonly path: string
  /** The query as sent, without the question mark. */
  readonly query: string
  header(name: string): string | null
  /** The address of the caller, for quotas; null when it is unknown. */
  readonly address: string | null
  /** Whether the headers announce a body. */
  readonly hasBody: boolean
  /** Reads the whole body; throws `body_too_large` beyond `maxBytes`. */
  body(maxBytes: number): Promise<Buffer>
  /** Returns whether the client has closed the connection, so that no answer reaches it. */
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
  /** The time of the request, read once. */
  readonly now: Date
  readonly request: HttpRequest
  readonly endpoint: EndpointShape
  readonly verb: (call: Call, input: unknown) => Promise<unknown>
  readonly sent: SentParameters
  /** The caller: anonymous until authenticated. */
  actor: Actor
  /** The validated input of the verb; empty before. */
  input: Readonly<Record<string, unknown>>
  /** The result of the verb; undefined before. */
  result: unknown
}

/** Parameters as they were sent, before validation, for authentication and validation. */
export interface SentParameters {
  /** The path's parameters, each percent-decoded once. */
  readonly path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | string[]>>
  body: Readonly<Record<string, unknown>>
  /** The bytes of a body of kind `raw`; else null. */
  rawBody: Buffer | null
  /** The SHA-256 of the body's bytes if the contract asks for it; else null. */
  bodyDigest: string | null
}

/** Splits a request target at its first question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

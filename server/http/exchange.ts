/** One HTTP request as both lanes present it. */
export interface HttpRequest {
  readonly method: string
  /** Path and query exactly as sent, starting with a slash. */
  readonly target: string
  header(name: string): string | null
  /** Where the request came from; null when that is not known. */
  readonly address: string | null
  /** Reads the whole body; throws `body_too_large` beyond `maxBytes`. */
  body(maxBytes: number): Promise<Buffer>
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
}

export interface Target {
  readonly path: string
  readonly query: string
}

/** Splits a request target at its first question mark. */
export function splitTarget(target: string): Target {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

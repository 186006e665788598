import fresh from 'fresh'
import type { ErrorCode } from '../core/errors'

/** Whether `If-None-Match` names the tag (RFC 9110 section 13.1.2), or the weak form that compressing proxies send. */
export function isKnownEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  return fresh({ 'if-none-match': ifNoneMatch }, { etag })
}

interface TextContent {
  readonly text: string | Buffer
  /** The error code, for the log, when the text is a refusal; else null. */
  readonly error: ErrorCode | null
}

interface TextOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
  readonly error?: ErrorCode | null
}

/** An answer other than JSON with the contract's status: a redirect, a signed token, an empty body, extra headers. */
export class Reply {
  private constructor(
    readonly status: number | null,
    readonly headers: Readonly<Record<string, string>>,
    /** `json` is validated by the contract's output; `text` is sent as it is. */
    readonly content: { readonly json: unknown } | TextContent | null,
  ) {}

  /** Returns JSON with the contract's status, or another, and more headers. */
  static json(json: unknown, headers: Readonly<Record<string, string>> = {}, status: number | null = null): Reply {
    return new Reply(status, headers, { json })
  }

  /** Returns text or bytes of the given media type, sent unchanged. */
  static text(text: string | Buffer, contentType: string, options: TextOptions = {}): Reply {
    const { headers, status = null, error = null } = options
    return new Reply(status, { 'content-type': contentType, ...headers }, { text, error })
  }

  /** Returns JSON that was rendered before, sent unchanged (idempotent replays). */
  static renderedJson(text: string, options: TextOptions = {}): Reply {
    return Reply.text(text, 'application/json', options)
  }

  /** Returns a 302; never 307 or 308, which would repeat a POST (RFC 9700 section 4.12). */
  static redirect(location: string): Reply {
    return new Reply(302, { location, 'referrer-policy': 'no-referrer' }, null)
  }

  static empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
    return new Reply(status, headers, null)
  }
}

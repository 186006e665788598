import type { AnyOperation } from '../../base/contract/endpoint'
import { readStream } from '../../base/contract/read-stream'
import { ADDRESS_HEADER } from '../../base/contract/request-headers'
import { getPlatform } from '../../base/platform/container'
import { hasBody } from './body'
import type { HttpRequest, HttpResponse } from './exchange'
import { createMatcher, type Match, NO_MATCH } from './match'
import { notFoundPage } from './not-found-page'
import { answerRequest } from './pipeline'

type Handler = (request: Request) => Promise<Response>
type Handlers = Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler>

/** Returns Next.js route handlers for the operations of one path, for all methods, so that none is left to Next. */
export function route(...operations: readonly AnyOperation[]): Handlers {
  const match = createMatcher(operations)
  return everyMethod(async (request) => toResponse(await answer(match, request)))
}

/** Handlers for unknown addresses, which answer with the JSON envelope, or with a small page in a browser. */
export const unknownAddress: Handlers = everyMethod(async (request) => {
  const response = await answer(() => null, request)
  const isVisit = ['GET', 'HEAD'].includes(request.method) && request.headers.get('accept')?.includes('text/html')
  return toResponse(isVisit ? notFoundPage(response, (name) => request.headers.get(name)) : response)
})

function everyMethod(handler: Handler): Handlers {
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  }
}

/** Answers a request; closes the connection after an unread body, so that its rest is not parsed as a request. */
async function answer(match: (path: string) => Match | null, request: Request): Promise<HttpResponse> {
  const { pathname: path, search } = new URL(request.url)
  const body = new ReadOnce(request.body)
  const httpRequest: HttpRequest = {
    method: request.method,
    path,
    query: search.slice(1),
    header: (name) => request.headers.get(name),
    address: request.headers.get(ADDRESS_HEADER) || null,
    hasBody: hasBody({ headers: Object.fromEntries(request.headers) }),
    body: (maxBytes) => body.read(maxBytes),
    isGone: () => request.signal.aborted,
  }
  const response = await answerRequest(match(path) ?? NO_MATCH, httpRequest, getPlatform())
  return body.isUnread() ? { ...response, headers: { ...response.headers, connection: 'close' } } : response
}

/** A request's body, which knows whether it has been read completely. */
class ReadOnce {
  #ended: boolean

  constructor(private readonly stream: ReadableStream<Uint8Array> | null) {
    this.#ended = stream === null
  }

  isUnread(): boolean {
    return !this.#ended
  }

  async read(maxBytes: number): Promise<Buffer> {
    if (this.stream === null) return Buffer.alloc(0)
    const bytes = await readStream(this.stream, maxBytes)
    this.#ended = true
    return bytes
  }
}

function toResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(Buffer.isBuffer(body) ? new Uint8Array(body) : body, { status, headers })
}

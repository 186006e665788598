import type { AnyOperation } from '../contract/endpoint'
import { ServiceError } from '../core/errors'
import { getPlatform } from '../platform/container'
import { ADDRESS_HEADER } from './address'
import type { HttpAnswer, HttpRequest } from './exchange'
import { answerRequest } from './execute'
import { notFoundPage } from './not-found-page'

type Handler = (request: Request) => Promise<Response>
type Handlers = Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler>

/** Next.js route handlers for the operations of one path; every method is answered here, so none is left to the framework. */
export function route(...operations: readonly AnyOperation[]): Handlers {
  return everyMethod(async (request) => toResponse(await answerOf(operations, request)))
}

/** Handlers for an address that names nothing: the JSON envelope, or a small page for whoever followed a link. */
export const unknownAddress: Handlers = everyMethod(async (request) => {
  const answer = await answerOf([], request)
  const isVisit = ['GET', 'HEAD'].includes(request.method) && request.headers.get('accept')?.includes('text/html')
  return toResponse(isVisit ? notFoundPage(answer, (name) => request.headers.get(name)) : answer)
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

/** A body that was refused unread must not be taken for the next request, so the connection ends with the answer. */
async function answerOf(operations: readonly AnyOperation[], request: Request): Promise<HttpAnswer> {
  const body = new ReadOnce(request.body)
  const answer = await answerRequest(operations, fromRequest(request, body), getPlatform())
  return body.isUnread() ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer
}

function fromRequest(request: Request, body: ReadOnce): HttpRequest {
  const url = new URL(request.url)
  return {
    method: request.method,
    target: url.pathname + url.search,
    header: (name) => request.headers.get(name),
    address: request.headers.get(ADDRESS_HEADER) || null,
    body: (maxBytes) => body.read(maxBytes),
  }
}

/** A request's body, and whether something of it is still to come. */
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
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of this.stream as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw new ServiceError('body_too_large', `The body may have at most ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
    this.#ended = true
    return Buffer.concat(chunks)
  }
}

function toResponse(answer: HttpAnswer): Response {
  const body = answer.body === null || typeof answer.body === 'string' ? answer.body : new Uint8Array(answer.body)
  return new Response(body, { status: answer.status, headers: answer.headers })
}

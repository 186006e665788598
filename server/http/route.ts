import type { AnyOperation } from '../contract/endpoint'
import { ServiceError } from '../core/errors'
import { getPlatform } from '../platform/container'
import type { HttpAnswer, HttpRequest } from './exchange'
import { answerRequest } from './execute'

type Handler = (request: Request) => Promise<Response>
type Handlers = Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', Handler>

/** Next.js route handlers for the operations of one path; every method is answered here, so none is left to the framework. */
export function route(...operations: readonly AnyOperation[]): Handlers {
  const handler: Handler = async (request) => toResponse(await answerRequest(operations, fromRequest(request), getPlatform()))
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler }
}

/** The answer to an address that names nothing. */
export async function unknownAddress(request: Request): Promise<Response> {
  return toResponse(await answerRequest([], fromRequest(request), getPlatform()))
}

function fromRequest(request: Request): HttpRequest {
  const url = new URL(request.url)
  return {
    method: request.method,
    target: url.pathname + url.search,
    header: (name) => request.headers.get(name),
    body: (maxBytes) => readStream(request.body, maxBytes),
  }
}

async function readStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  if (stream === null) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw new ServiceError('body_too_large', `The body may have at most ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toResponse(answer: HttpAnswer): Response {
  const body = answer.body === null || typeof answer.body === 'string' ? answer.body : new Uint8Array(answer.body)
  return new Response(body, { status: answer.status, headers: answer.headers })
}

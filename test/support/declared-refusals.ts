import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import type { PublicErrorCode } from '@/server/base/core/errors'
import { operations } from '@/server/operations'
import { refusalsOf } from '@/server/surfaces/openapi/document'
import { EVERYWHERE } from '@/server/surfaces/openapi/error-index'
import { fits } from './route-files'

/**
 * Watches the refusals of a service; each must be declared by its endpoint's contract, unless every endpoint may return
 * it.
 */
export function watchRefusals() {
  const undeclared = new Set<string>()
  return {
    watch(request: IncomingMessage, response: ServerResponse): void {
      const [path = ''] = (request.url ?? '').split('?')
      const operation = operations.find(
        ({ endpoint }) => endpoint.method === request.method && fits(endpoint.path, path),
      )
      if (operation === undefined) return
      const sent = record(response)
      response.once('finish', () => {
        const code = response.statusCode >= 400 ? errorOf(sent()) : null
        if (code !== null && !isDeclared(operation.endpoint, code)) {
          undeclared.add(`${operation.endpoint.operationId}: ${code}`)
        }
      })
    },
    expectDeclared(): void {
      if (undeclared.size > 0) throw new Error(`No contract declares these refusals: ${[...undeclared].join(', ')}`)
    },
  }
}

/** Records the body of a response; the returned function returns it. */
function record(response: ServerResponse): () => string {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const { write, end } = response
  response.write = function (...all: unknown[]) {
    keep(all[0])
    return Reflect.apply(write, response, all)
  }
  response.end = function (...all: unknown[]) {
    keep(all[0])
    return Reflect.apply(end, response, all)
  }
  return () => Buffer.concat(chunks).toString()
}

function errorOf(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return typeof error === 'string' ? error : null
  } catch {
    return null
  }
}

function isDeclared(endpoint: EndpointShape, code: string): boolean {
  const known = code as PublicErrorCode
  return EVERYWHERE.has(known) || refusalsOf(endpoint).has(known as never)
}

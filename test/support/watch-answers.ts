import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import type { PublicErrorCode } from '@/server/base/core/errors'
import type { Platform } from '@/server/base/core/platform'
import { operations } from '@/server/operations'
import { buildDocument, refusalsOf } from '@/server/surfaces/openapi/document'
import { EVERYWHERE } from '@/server/surfaces/openapi/error-index'
import { fits } from './route-files'

/**
 * Watches the answers of a service: each must be as openapi.json describes it, and the code of a refusal declared by its
 * endpoint's contract, unless every endpoint may return it.
 */
export function watchAnswers() {
  const undeclared = new Set<string>()
  const undescribed = new Set<string>()
  return {
    watch(request: IncomingMessage, response: ServerResponse): void {
      const [path = ''] = (request.url ?? '').split('?')
      const operation = operations.find(
        ({ endpoint }) => endpoint.method === request.method && fits(endpoint.path, path),
      )
      if (operation === undefined) return
      const { endpoint } = operation
      const sent = record(response)
      response.once('finish', () => {
        const answer = { status: response.statusCode, ...sent() }
        const code = answer.status >= 400 ? errorOf(answer.text) : null
        if (code !== null && !isDeclared(endpoint, code)) undeclared.add(`${endpoint.operationId}: ${code}`)
        const isAnyones = code !== null && EVERYWHERE.has(code as PublicErrorCode) && answer.status !== 422
        const fault = isAnyones ? null : checkDescribed(endpoint, answer)
        if (fault !== null) undescribed.add(`${endpoint.operationId}: ${answer.status} ${fault}`)
      })
    },
    expectDescribed(): void {
      if (undeclared.size > 0) throw new Error(`No contract declares these refusals: ${[...undeclared].join(', ')}`)
      if (undescribed.size > 0) throw new Error(`openapi.json lacks these answers: ${[...undescribed].join(', ')}`)
    },
  }
}

interface Body {
  readonly mediaType: string | null
  readonly text: string
}

/** Records the body of a response; the returned function returns it. */
function record(response: ServerResponse): () => Body {
  let mediaType: string | null = null
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const { writeHead, write, end } = response
  response.writeHead = function (...all: unknown[]) {
    const { 'content-type': type } = Object(all[1]) as { readonly 'content-type'?: string }
    mediaType = type?.split(';', 1)[0] ?? null
    return Reflect.apply(writeHead, response, all)
  }
  response.write = function (...all: unknown[]) {
    keep(all[0])
    return Reflect.apply(write, response, all)
  }
  response.end = function (...all: unknown[]) {
    keep(all[0])
    return Reflect.apply(end, response, all)
  }
  return () => ({ mediaType, text: Buffer.concat(chunks).toString() })
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

const { paths = {}, components } = buildDocument(operations, {
  config: { baseUrl: 'https://as.example', sandbox: true },
} as Platform)

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** Returns what openapi.json does not say of an answer; null when it describes it. */
function checkDescribed({ path, method }: EndpointShape, { status, mediaType, text }: Body & { status: number }) {
  const operation = paths[path]?.[method.toLowerCase() as 'get']
  const response = operation?.responses?.[status] as DescribedResponse | undefined
  if (response === undefined) return 'at all'
  const { content = {} } = response
  if (mediaType === null) return Object.keys(content).length === 0 ? null : 'without a media type'
  const described = content[mediaType]
  if (described === undefined) return `as ${mediaType}`
  return mediaType.endsWith('json') ? checkSchema(described.schema, text) : null
}

function checkSchema(schema: object, text: string): string | null {
  const { error } = parserOf(schema).safeParse(JSON.parse(text))
  return error === undefined ? null : z.prettifyError(error)
}

const parsers = new WeakMap<object, z.ZodType>()

function parserOf(schema: object): z.ZodType {
  const known = parsers.get(schema)
  if (known !== undefined) return known
  const standalone = JSON.stringify({ ...schema, $defs: components?.schemas }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  )
  const parser = z.fromJSONSchema(JSON.parse(standalone) as Parameters<typeof z.fromJSONSchema>[0])
  parsers.set(schema, parser)
  return parser
}

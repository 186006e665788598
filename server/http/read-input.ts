import type * as z from 'zod'
import type { Body, EndpointShape } from '../contract/endpoint'
import { ServiceError, ValidationError, type ValidationIssue } from '../core/errors'
import { parseJsonObject, sha256Base64url } from '../protocol/encoding'
import { ProtocolError } from '../protocol/errors'
import { BODY_MAX_BYTES, FORM_MAX_PARAMETERS, JSON_MAX_DEPTH } from './bounds'
import type { HttpRequest } from './exchange'

const clientParameters = ['client_id', 'client_assertion', 'client_assertion_type', 'client_secret'] as const

/** Parameters as they came, before any schema: what authentication and validation both read. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Readonly<Record<string, unknown>>
  readonly rawBody: Buffer | null
  readonly bodyDigest: string | null
}

/** Path parameters of `path` under `template`, each segment percent-decoded once; null when they do not fit. */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (!segment.startsWith('{')) {
      if (segment !== value) return null
      continue
    }
    const decoded = decodeSegment(value)
    if (decoded === null) return null
    params[segment.slice(1, -1)] = decoded
  }
  return params
}

function decodeSegment(segment: string): string | null {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded === '' || decoded.includes('\u0000') ? null : decoded
  } catch {
    return null
  }
}

/** Reads query and body within their bounds. Path parameters that cannot be decoded name nothing: 404. */
export async function readRawInput(
  endpoint: EndpointShape,
  request: HttpRequest,
  target: { path: string; query: string },
) {
  const params = matchPath(endpoint.path, target.path)
  if (params === null) throw new ServiceError('not_found', 'There is nothing at this address.')
  const query = readQuery(endpoint, target.query)
  return { params, query, ...(await readBody(endpoint.body, request)) } satisfies RawInput
}

function readQuery(endpoint: EndpointShape, query: string): Record<string, string | string[]> {
  if (endpoint.query === undefined || query === '') return {}
  return readPairs(query, knownKeys(endpoint.query), new Set())
}

async function readBody(body: Body | undefined, request: HttpRequest): Promise<Omit<RawInput, 'params' | 'query'>> {
  const nothing = { body: {}, rawBody: null, bodyDigest: null }
  if (body === undefined) return nothing
  if (body.kind === 'raw') return { ...nothing, rawBody: await request.body(body.maxBytes) }
  const mediaType = (request.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (body.kind === 'form') {
    if (mediaType !== 'application/x-www-form-urlencoded') {
      throw new ServiceError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
    }
    const bytes = await request.body(BODY_MAX_BYTES)
    const text = decodeUtf8(bytes)
    const bodyDigest = body.digest === true ? sha256Base64url(bytes) : null
    const known = new Set([...knownKeys(body.schema), ...clientParameters])
    return { ...nothing, body: readPairs(text, known, new Set(body.repeatable ?? [])), bodyDigest }
  }
  return { ...nothing, body: await readJson(body, request, mediaType) }
}

async function readJson(body: Extract<Body, { kind: 'json' }>, request: HttpRequest, mediaType: string) {
  const bytes = await request.body(body.maxBytes ?? BODY_MAX_BYTES)
  if (bytes.length === 0 && body.optional === true) return {}
  if (mediaType !== 'application/json' && !mediaType.endsWith('+json')) {
    const code = body.malformed ?? 'unsupported_media_type'
    throw new ServiceError(code, 'The body must be application/json.')
  }
  try {
    return parseJsonObject(bytes, { maxDepth: JSON_MAX_DEPTH })
  } catch (cause) {
    const reason = cause instanceof ProtocolError ? ` ${cause.message}.` : ''
    const description = `The body must be a JSON object in UTF-8.${reason}`
    throw new ServiceError(body.malformed ?? 'invalid_request', description, { cause })
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The body is not UTF-8.', { cause })
  }
}

function knownKeys(schema: z.ZodType): Set<string> {
  return new Set('shape' in schema ? Object.keys(schema.shape as object) : [])
}

/**
 * Form and query pairs: unknown names are ignored, also when doubled; an empty value counts as omitted; a known
 * name may come once unless it is repeatable (RFC 6749 sections 3.1 and 3.2).
 */
function readPairs(text: string, known: ReadonlySet<string>, repeatable: ReadonlySet<string>) {
  const found = new Map<string, string[]>()
  const pairs = text.split('&')
  if (pairs.length > FORM_MAX_PARAMETERS) throw new ServiceError('invalid_request', 'There are too many parameters.')
  for (const pair of pairs) {
    const [name, value] = decodePair(pair)
    if (!known.has(name) || value === '') continue
    const values = found.get(name) ?? []
    if (values.length > 0 && !repeatable.has(name)) {
      throw new ServiceError('invalid_request', `The parameter ${name} was sent more than once.`)
    }
    found.set(name, [...values, value])
  }
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, repeatable.has(name) ? values : (values[0] ?? '')]),
  )
}

function decodePair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  const raw = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  try {
    const [name = '', value = ''] = raw.map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (!value.includes('\u0000')) return [name, value]
  } catch {
    // Falls through to the refusal below.
  }
  throw new ServiceError('invalid_request', 'A parameter is not percent-encoded UTF-8 text.')
}

/** Applies the contract's schemas. Issues carry where they were found, as the 422 body wants. */
export function validateInput(endpoint: EndpointShape, raw: RawInput, request: HttpRequest): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  if (endpoint.params !== undefined) Object.assign(input, check(endpoint.params, raw.params, 'path'))
  if (endpoint.query !== undefined) Object.assign(input, check(endpoint.query, raw.query, 'query'))
  if (endpoint.body?.kind === 'raw') input['rawBody'] = raw.rawBody
  else if (endpoint.body !== undefined) Object.assign(input, check(endpoint.body.schema, raw.body, 'body'))
  if (raw.bodyDigest !== null) input['bodyDigest'] = raw.bodyDigest
  if (endpoint.headers !== undefined) {
    input['headers'] = Object.fromEntries(endpoint.headers.map((name) => [name, request.header(name) ?? undefined]))
  }
  return input
}

function check(schema: z.ZodType, value: unknown, place: 'path' | 'query' | 'body'): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  if (place === 'path') throw new ServiceError('not_found', 'There is nothing at this address.')
  throw new ValidationError(result.error.issues.slice(0, 20).flatMap((issue) => toIssues(issue, place)))
}

function toIssues(issue: z.core.$ZodIssue, place: string): ValidationIssue[] {
  const loc = [place, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      loc: [...loc, key],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    }))
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  const echo = isPlain(issue.input) ? { input: issue.input } : {}
  return [{ loc, msg: missing ? 'Field required' : issue.message, type: missing ? 'missing' : issue.code, ...echo }]
}

/** Only short scalars are echoed: a refused body may hold secrets. */
function isPlain(input: unknown): boolean {
  return typeof input === 'number' || typeof input === 'boolean' || input === null
}

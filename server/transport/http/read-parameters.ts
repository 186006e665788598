import type { Body, EndpointShape } from '../../base/contract/endpoint'
import { knownKeys } from '../../base/contract/known-keys'
import { ServiceError, ValidationError } from '../../base/core/errors'
import { isJsonObject, parseJsonObject, parseJsonValue, sha256Base64url } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { authenticatesFirst } from './authenticate'
import { maxBytesOf } from './body'
import { FORM_MAX_PARAMETERS, JSON_MAX_DEPTH } from './bounds'
import type { Exchange, HttpRequest, SentParameters } from './exchange'

type FormBody = Extract<Body, { kind: 'form' }>
type JsonBody = Extract<Body, { kind: 'json' }>

const FORM_TYPE = 'application/x-www-form-urlencoded'
const JSON_BOUNDS = { maxDepth: JSON_MAX_DEPTH }

const clientParameters = ['client_id', 'client_assertion', 'client_assertion_type', 'client_secret'] as const

/** Reads query and body within their bounds; what the contract does not know of is left out. */
export async function readParameters({ endpoint, request, sent }: Exchange): Promise<void> {
  if (endpoint.query !== undefined && request.query !== '') {
    sent.query = readQuery(endpoint, request.query)
  }
  const { body } = endpoint
  if (body === undefined) return
  if (body.kind === 'raw') sent.rawBody = await request.body(maxBytesOf(body))
  else if (body.kind === 'form') await readForm(body, request, sent)
  else sent.body = await readJson(body, request, sent, { isTyped: authenticatesFirst(endpoint) })
}

/** The query, with a doubled name as a typed refusal where the contract says which names may be doubled. */
function readQuery({ query, repeatable }: EndpointShape, text: string): SentParameters['query'] {
  const known = knownKeys(query)
  const sent = decodePairs(text)
  if (repeatable === undefined) return readPairs(sent, { known })
  const pairs = readPairs(sent, { known, repeatable: known })
  for (const name of Object.keys(pairs).filter((one) => !repeatable.includes(one))) {
    const values = [pairs[name]].flat()
    if (values.length > 1) {
      throw new ValidationError([{ loc: ['query', name], msg: 'must be sent once', type: 'repeated' }])
    }
    pairs[name] = values[0] ?? ''
  }
  return pairs
}

function mediaTypeOf(request: HttpRequest): string {
  return (request.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

async function readForm(body: FormBody, request: HttpRequest, sent: SentParameters): Promise<void> {
  if (mediaTypeOf(request) !== FORM_TYPE) {
    throw new ServiceError(body.otherType ?? 'invalid_request', `The body must be ${FORM_TYPE}.`)
  }
  const bytes = await request.body(maxBytesOf(body))
  const known = new Set([...knownKeys(body.schema), ...clientParameters])
  const pairs = decodePairs(decodeUtf8(bytes))
  requireNoRepeats(pairs)
  sent.body = readPairs(pairs, { known, repeatable: new Set(body.repeatable ?? []) })
  if (body.digest === true) sent.bodyDigest = sha256Base64url(bytes)
}

/** `isTyped`: a JSON value that is no object fails the typed validation. */
async function readJson(
  body: JsonBody,
  request: HttpRequest,
  sent: SentParameters,
  { isTyped }: { readonly isTyped: boolean },
): Promise<Record<string, unknown>> {
  const bytes = await request.body(maxBytesOf(body))
  if (body.digest === true) sent.bodyDigest = sha256Base64url(bytes)
  const mediaType = mediaTypeOf(request)
  if (isOmitted(body, bytes, mediaType)) return {}
  if (body.orForm === true && mediaType === FORM_TYPE) return readFormMembers(body, bytes)
  if (mediaType !== 'application/json' && !mediaType.endsWith('+json')) {
    const code = body.malformed ?? 'unsupported_media_type'
    throw new ServiceError(code, 'The body must be application/json.')
  }
  return isTyped ? readTyped(body, bytes) : readObject(body, () => parseJsonObject(bytes, JSON_BOUNDS))
}

/** An optional body that is empty; one that may be a form must not name another type then. */
function isOmitted({ optional, orForm }: JsonBody, bytes: Buffer, mediaType: string): boolean {
  return bytes.length === 0 && optional === true && (orForm !== true || mediaType === '')
}

function readObject<Value>(body: JsonBody, parse: () => Value): Value {
  try {
    return parse()
  } catch (cause) {
    const reason = cause instanceof ProtocolError ? ` ${cause.message}.` : ''
    const description = `The body must be a JSON object in UTF-8.${reason}`
    throw new ServiceError(body.malformed ?? 'invalid_request', description, { cause })
  }
}

function readTyped(body: JsonBody, bytes: Buffer): Record<string, unknown> {
  const value = readObject(body, () => parseJsonValue(bytes, JSON_BOUNDS))
  if (isJsonObject(value)) return value
  throw new ValidationError([{ loc: ['body'], msg: 'The body must be a JSON object', type: 'invalid_type' }])
}

/** The members of a JSON body that came as a form. */
function readFormMembers(body: JsonBody, bytes: Buffer): Record<string, unknown> {
  const pairs = decodePairs(decodeUtf8(bytes))
  requireNoRepeats(pairs)
  return readPairs(pairs, { known: knownKeys(body.schema), keepsEmpty: true })
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The body is not UTF-8.', { cause })
  }
}

type Pair = readonly [name: string, value: string]

/** The pairs of a form or query, decoded (WHATWG URL section 5.1). */
function decodePairs(text: string): Pair[] {
  const pairs = text.split('&')
  if (pairs.length > FORM_MAX_PARAMETERS) throw new ServiceError('invalid_request', 'There are too many parameters.')
  return pairs.filter((pair) => pair !== '').map(decodePair)
}

interface PairRules {
  readonly known: ReadonlySet<string>
  readonly repeatable?: ReadonlySet<string>
  readonly keepsEmpty?: boolean
}

/**
 * The parameters by name: unknown names are ignored, also when doubled; an empty value counts as omitted, unless it is kept;
 * a known name may come once unless it is repeatable (RFC 6749 sections 3.1 and 3.2).
 */
function readPairs(pairs: readonly Pair[], { known, repeatable = new Set(), keepsEmpty = false }: PairRules) {
  const found = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (!known.has(name) || (value === '' && !keepsEmpty)) continue
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

/**
 * What a form says twice is refused, whether it is known, empty or the same (RFC 6749 section 3.2); only `resource` may
 * come more than once, with different values (RFC 8707 section 2).
 */
function requireNoRepeats(pairs: readonly Pair[]): void {
  const [names, resources] = [new Set<string>(), new Set<string>()]
  for (const [name, value] of pairs) {
    const [seen, key] = name === 'resource' ? [resources, value] : [names, name]
    if (seen.has(key)) throw new ServiceError('invalid_request', 'A parameter was sent more than once.')
    seen.add(key)
  }
}

function decodePair(pair: string): Pair {
  const at = pair.indexOf('=')
  const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  const decoded: Pair = [decodePart(name), decodePart(value)]
  if (decoded[1].includes('\u0000')) throw buildEncodingError()
  return decoded
}

function decodePart(part: string): string {
  if (!/[%+]/.test(part)) return part
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw buildEncodingError()
  }
}

function buildEncodingError(): ServiceError {
  return new ServiceError('invalid_request', 'A parameter is not percent-encoded UTF-8 text.')
}

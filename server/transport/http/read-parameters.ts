import { type Body, type EndpointShape, otherTypeCode } from '../../base/contract/endpoint'
import { knownKeys } from '../../base/contract/known-keys'
import { ServiceError, ValidationError } from '../../base/core/errors'
import { isJsonObject, parseJsonObject, parseJsonValue, sha256Base64url } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { checkCoding, maxBytesOf } from './body'
import { FORM_MAX_PARAMETERS, JSON_MAX_DEPTH } from './bounds'
import type { Exchange, HttpRequest, SentParameters } from './exchange'

interface BodyRules {
  /** Whether a body that is missing or no object is a 422, as are members of another type. */
  readonly isTyped: boolean
}

type FormBody = Extract<Body, { kind: 'form' }>
type JsonBody = Extract<Body, { kind: 'json' }>

const FORM_TYPE = 'application/x-www-form-urlencoded'
const JSON_RULES = { maxDepth: JSON_MAX_DEPTH, refusesPrototype: true }

const clientParameters = ['client_id', 'client_assertion', 'client_assertion_type', 'client_secret'] as const

/** Reads query and body within their limits, without parameters that the contract does not have. */
export async function readParameters({ endpoint, request, sent }: Exchange): Promise<void> {
  if (endpoint.query !== undefined && request.query !== '') {
    sent.query = readQuery(endpoint, request.query)
  }
  const { body } = endpoint
  if (body === undefined) return
  const refusal = request.hasBody ? checkCoding(request.header('content-encoding'), otherTypeCode(body)) : null
  if (refusal !== null) throw refusal
  const isTyped = endpoint.refusal !== 'oauth'
  if (body.kind === 'raw') sent.rawBody = await request.body(maxBytesOf(body))
  else if (body.kind === 'form') await readForm(body, request, sent)
  else sent.body = await readJson(body, request, sent, { isTyped })
}

/** Reads the query. If the contract has `repeatable`, repeating any other name is a 422; else repetition is a 400. */
function readQuery({ query, repeatable, lenientQuery }: EndpointShape, text: string): SentParameters['query'] {
  const known = knownKeys(query)
  const sent = lenientQuery === true ? decodeLeniently(text) : decodePairs(text)
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
    throw new ServiceError(otherTypeCode(body), `The body must be ${FORM_TYPE}.`)
  }
  const bytes = await request.body(maxBytesOf(body))
  const known = new Set([...knownKeys(body.schema), ...clientParameters])
  const pairs = decodePairs(decodeUtf8(bytes))
  requireNoRepeats(pairs)
  sent.body = readPairs(pairs, { known, repeatable: new Set(body.repeatable ?? []) })
  if (body.digest === true) sent.bodyDigest = sha256Base64url(bytes)
}

/** Reads a JSON body. With `isTyped` a body that is missing or no object is a 422. */
async function readJson(
  body: JsonBody,
  request: HttpRequest,
  sent: SentParameters,
  { isTyped }: BodyRules,
): Promise<Record<string, unknown>> {
  const bytes = await request.body(maxBytesOf(body))
  if (body.digest === true) sent.bodyDigest = sha256Base64url(bytes)
  const mediaType = mediaTypeOf(request)
  if (isOmitted(body, bytes, mediaType)) return {}
  if (body.orForm === true && mediaType === FORM_TYPE) return readFormMembers(body, bytes)
  if (bytes.length === 0 && mediaType === '') throw buildMissingBodyError(body, isTyped)
  if (mediaType !== 'application/json' && !mediaType.endsWith('+json')) {
    const types = body.orForm === true ? `application/json or ${FORM_TYPE}` : 'application/json'
    throw new ServiceError(otherTypeCode(body), `The body must be ${types}.`)
  }
  return isTyped ? readTyped(body, bytes) : readObject(body, () => parseJsonObject(bytes, JSON_RULES))
}

/** Whether an optional body is empty; one that may be a form must then have no media type. */
function isOmitted({ optional, orForm }: JsonBody, bytes: Buffer, mediaType: string): boolean {
  return bytes.length === 0 && optional === true && (orForm !== true || mediaType === '')
}

function buildMissingBodyError({ missing, malformed }: JsonBody, isTyped: boolean): Error {
  if (missing === undefined && isTyped) return buildBodyError('The body is required', 'missing')
  return new ServiceError(missing ?? malformed ?? 'invalid_request', 'The body is required.')
}

const buildBodyError = (msg: string, type: string) => new ValidationError([{ loc: ['body'], msg, type }])

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
  const value = readObject(body, () => parseJsonValue(bytes, JSON_RULES))
  if (isJsonObject(value)) return value
  throw buildBodyError('The body must be a JSON object', 'invalid_type')
}

/** Reads the members of a JSON body that was sent as a form. */
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

/** Decodes the pairs of a form or query (WHATWG URL section 5.1). */
function decodePairs(text: string): Pair[] {
  const pairs = text.split('&')
  if (pairs.length > FORM_MAX_PARAMETERS) throw new ServiceError('invalid_request', 'There are too many parameters.')
  return pairs.filter((pair) => pair !== '').map(decodePair)
}

/** Decodes the pairs of a query that may not be refused, however many there are. */
function decodeLeniently(text: string): Pair[] {
  const pairs = text.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    try {
      return decodePair(pair)
    } catch {
      return [pair.split('=', 1)[0] ?? '', '\uFFFD']
    }
  })
}

interface PairRules {
  readonly known: ReadonlySet<string>
  readonly repeatable?: ReadonlySet<string>
  readonly keepsEmpty?: boolean
}

/**
 * Returns the parameters by name (RFC 6749 sections 3.1 and 3.2): unknown names are ignored, also repeated ones; an
 * empty value counts as omitted unless `keepsEmpty`; a known name may occur once unless it is repeatable.
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
 * Throws for a repeated name in a form, also if it is unknown, empty or has the same value (RFC 6749 section 3.2). Only
 * `resource` may occur more than once, with different values (RFC 8707 section 2).
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

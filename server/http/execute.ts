import type { AnyOperation, EndpointShape } from '../contract/endpoint'
import type { Actor, Call } from '../core/call'
import { ServiceError } from '../core/errors'
import type { Platform } from '../core/platform'
import { noteRequest } from '../request-log'
import { admit, asLivingClient, authenticate } from './authenticate'
import { type HttpAnswer, type HttpRequest, splitTarget } from './exchange'
import { matchPath, readRawInput, validateInput } from './read-input'
import { refusalAnswer } from './refusal'
import { replyAnswer } from './reply'

type Verb = (call: Call, input: unknown) => Promise<unknown>

/** Answers one request to a path: picks the method's operation, or says which methods there are. Never throws. */
export async function answerRequest(
  operations: readonly AnyOperation[],
  request: HttpRequest,
  platform: Platform,
): Promise<HttpAnswer> {
  const requestId = platform.random.uuid()
  const started = performance.now()
  const { path } = splitTarget(request.target)
  const available = operations.filter(
    ({ endpoint }) =>
      (platform.config.sandbox || endpoint.sandboxOnly !== true) && matchPath(endpoint.path, path) !== null,
  )
  const operation = available.find(({ endpoint }) => answers(endpoint, request.method))
  const { answer, actor } =
    operation === undefined
      ? { answer: otherMethod(available, request, { platform, requestId }), actor: null }
      : await run(operation, request, { platform, requestId })
  const ms = Math.round((performance.now() - started) * 10) / 10
  const name = operation?.endpoint.operationId ?? null
  platform.log.info('request', { requestId, operation: name, method: request.method, status: answer.status, ms })
  if (name !== null) {
    const { method } = request
    noteRequest(platform, actor, { request_id: requestId, operation: name, method, ms, ...outcomeOf(answer) })
  }
  return { ...answer, headers: { ...standardHeaders(platform), 'x-request-id': requestId, ...answer.headers } }
}

/** HEAD is GET without its body, but never where GET uses something up: mail scanners and prefetchers send it. */
function answers(endpoint: EndpointShape, method: string): boolean {
  return endpoint.method === method || (method === 'HEAD' && endpoint.method === 'GET' && endpoint.consuming !== true)
}

interface Surroundings {
  readonly platform: Platform
  readonly requestId: string
}

interface Ran {
  readonly answer: HttpAnswer
  /** Null when nobody was made out. */
  readonly actor: Actor | null
}

async function run({ endpoint, verb }: AnyOperation, request: HttpRequest, around: Surroundings): Promise<Ran> {
  const { platform, requestId } = around
  const now = platform.clock.now()
  let caller: Actor | null = null
  const answer = await attempt(endpoint, around, async () => {
    if (endpoint.switch !== undefined && !(await platform.switches.isOn(endpoint.switch))) {
      throw new ServiceError('service_unavailable', 'This feature is switched off.')
    }
    const { path, query } = splitTarget(request.target)
    const raw = await readRawInput(endpoint, request, { path, query })
    const actor = await authenticate({ endpoint, request, path, raw, platform, now })
    caller = actor
    return await asLivingClient({ endpoint, actor, platform }, async () => {
      const input = validateInput(endpoint, raw, request)
      await admit({ endpoint, actor, platform })
      return replyAnswer(endpoint, await (verb as Verb)({ actor, platform, requestId, now }, input))
    })
  })
  const mints = endpoint.access.actor === 'client' && endpoint.access.dpop === 'mint'
  // RFC 9449 section 8.2: the next nonce travels with every answer, refusals included.
  const nonce = mints ? { 'dpop-nonce': platform.dpopNonces.current(now) } : {}
  return { answer: { ...answer, headers: { ...answer.headers, ...nonce } }, actor: caller }
}

/** The status, and of a refusal its code. */
function outcomeOf({ status, body }: HttpAnswer): { status: number; error: string | null } {
  const code = status < 400 || typeof body !== 'string' ? undefined : /^\{"error":"([a-z_]{1,64})"/.exec(body)?.[1]
  return { status, error: code ?? (status === 422 ? 'invalid_request' : null) }
}

async function attempt(
  endpoint: EndpointShape,
  { platform, requestId }: Surroundings,
  work: () => Promise<HttpAnswer>,
) {
  try {
    return await work()
  } catch (error) {
    return refusalAnswer(error, { dialect: endpoint.refusal, platform, requestId })
  }
}

/** OPTIONS names the methods; any other method is 405 with `Allow` (RFC 9110 section 15.5.6). */
function otherMethod(operations: readonly AnyOperation[], request: HttpRequest, around: Surroundings): HttpAnswer {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const allow = [
    ...methods.filter((method) => operations.some(({ endpoint }) => answers(endpoint, method))),
    'OPTIONS',
  ].join(', ')
  if (request.method === 'OPTIONS' && operations.length > 0) return { status: 204, headers: { allow }, body: null }
  const missing = operations.length === 0
  const error = missing
    ? new ServiceError('not_found', 'There is nothing at this address.')
    : new ServiceError('method_not_allowed', 'This address does not answer this method.', { headers: { allow } })
  return refusalAnswer(error, { dialect: 'oauth', platform: around.platform, requestId: around.requestId })
}

/** Headers of every API answer. Whatever may carry a secret or personal data is not stored; contracts that are public say so. */
function standardHeaders(platform: Platform): Record<string, string> {
  const transport = platform.config.baseUrl.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    : {}
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...transport,
  }
}

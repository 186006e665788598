import * as z from 'zod'
import { requireOperatorToken } from '../../base/contract/operator-token'
import { buildMethodNotAllowedError, buildNotFoundError, toProblem } from '../../base/contract/problem'
import { ADDRESS_HEADER } from '../../base/contract/request-headers'
import { millisecondsSince } from '../../base/core/elapsed'
import { ServiceError } from '../../base/core/errors'
import { noteAnswer } from '../../base/core/note-answer'
import type { Platform } from '../../base/core/platform'
import { getPlatform } from '../../base/platform/container'
import { loggedSession } from '../../base/protocol/session-handle'
import { startPasskeySignIn } from '../passkeys'
import { authenticationResponse, challengeId } from '../passkeys/contract'
import { signInRequest } from './contract'
import { browserSecretCookie, readBrowserSecret, readSessionClaims } from './cookie'
import type { NextAuthCall } from './next-auth'
import { readJsonBody } from './read-json-body'
import { readSignInLink } from './read-sign-in-link'
import { requestSignIn } from './request-sign-in'
import { requireOwnOrigin } from './same-origin'
import { replaceSession } from './store'

const AUTH_PATH = '/api/auth/'

const linkForm = z.object({ token: z.string().max(512) })
const tokenForm = linkForm.extend({ csrfToken: z.string().max(512), code: z.string().max(64).optional() })
const passkeyForm = z.object({
  csrfToken: z.string().max(512),
  challenge_id: challengeId,
  response: authenticationResponse,
})
const csrfForm = z.object({ csrfToken: z.string().max(512) })

interface RouteReply {
  readonly status: number
  readonly body: unknown
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The part of the opened session's handle that the log shows (`loggedSession`). */
  readonly opened?: { readonly session: string }
}
type Step = (platform: Platform, request: Request) => Promise<RouteReply>

/** The routes below /api/auth. A GET consumes nothing: only a POST from one of our own pages does. */
const steps: Readonly<Record<string, { readonly method: 'GET' | 'POST'; readonly run: Step }>> = {
  csrf: { method: 'GET', run: answerCsrfToken },
  'sign-in-link': { method: 'POST', run: sendSignInLink },
  'read-sign-in-link': { method: 'POST', run: describeSignInLink },
  'callback/magic-link': { method: 'POST', run: signInByToken },
  'passkey-options': { method: 'POST', run: answerPasskeyOptions },
  'callback/passkey': { method: 'POST', run: signInByPasskey },
  'callback/demo': { method: 'POST', run: signInAsDemo },
  signout: { method: 'POST', run: signOut },
}

/** Answers a request below /api/auth. Never throws. */
export async function answerAuthRequest(request: Request): Promise<Response> {
  const platform = getPlatform()
  const requestId = platform.random.uuid()
  const started = performance.now()
  const step = nameOfStep(request)
  const note = (answer: { readonly status: number; readonly error?: string }, opened: RouteReply['opened']) => {
    const ms = millisecondsSince(started)
    noteAnswer(
      platform,
      { requestId, operation: 'sign-in', method: request.method, ms, ...answer },
      { step, ...opened },
    )
  }
  try {
    const { method, run } = stepOf(request)
    if (method === 'POST') requireOwnOrigin(request.headers, platform.config.baseUrl)
    const reply = await run(platform, request)
    note({ status: reply.status }, reply.opened)
    return toResponse(reply, requestId)
  } catch (error) {
    const { status, headers, body, isFault, code } = toProblem(error, { dialect: 'portal' })
    note({ status, error: code }, undefined)
    if (isFault) platform.log.error('sign-in failed', { requestId }, error)
    return toResponse({ status, body, headers }, requestId)
  }
}

/** Returns the name of the step that the request is for; null where there is none. */
function nameOfStep(request: Request): string | null {
  const name = new URL(request.url).pathname.slice(AUTH_PATH.length)
  return Object.hasOwn(steps, name) ? name : null
}

function stepOf(request: Request) {
  const step = steps[nameOfStep(request) ?? '']
  if (step === undefined) throw buildNotFoundError()
  if (request.method !== step.method) throw buildMethodNotAllowedError(step.method)
  return step
}

/**
 * Runs the sign-in library. It is loaded on demand, with the framework behind it, so that the API works without them.
 */
async function runNextAuth(platform: Platform, request: Request, call: NextAuthCall): Promise<Response> {
  const library = await import('./next-auth')
  return library.runNextAuth(platform, request, call)
}

async function answerCsrfToken(platform: Platform, request: Request): Promise<RouteReply> {
  const answer = await runNextAuth(platform, request, { route: ['csrf'] })
  return { status: 200, body: await answer.json(), cookies: ownCookies(answer) }
}

async function sendSignInLink(platform: Platform, request: Request): Promise<RouteReply> {
  const { email } = await readBody(request, signInRequest)
  const browser = readBrowserSecret(platform, request.headers) ?? platform.random.token(32)
  const call = { platform, now: platform.clock.now() }
  const { code } = await requestSignIn(call, { email, address: addressOf(request), browser })
  return { status: 202, body: { status: 'sent', code }, cookies: [browserSecretCookie(platform, browser)] }
}

/** Returns the caller's network address, as the lane sets it; null without one. */
function addressOf(request: Request): string | null {
  return request.headers.get(ADDRESS_HEADER) || null
}

const LINK_REFUSED =
  'This sign-in link was used before or is too old, or it needs the code of the browser that asked for it.'

/** Returns what the page of a sign-in link shows. The link stays unused. */
async function describeSignInLink(platform: Platform, request: Request): Promise<RouteReply> {
  const { token } = await readBody(request, linkForm)
  const link = await readSignInLink(platform, { token, browser: readBrowserSecret(platform, request.headers) })
  if (link === null) throw new ServiceError('invalid_token', LINK_REFUSED)
  return { status: 200, body: link }
}

async function signInByToken(platform: Platform, request: Request): Promise<RouteReply> {
  const { code, ...rest } = await readBody(request, tokenForm)
  const form = code === undefined ? rest : { ...rest, code: code.replaceAll(/\s/g, '') }
  return signIn(platform, request, { provider: 'magic-link', form, message: LINK_REFUSED })
}

async function answerPasskeyOptions(platform: Platform, request: Request): Promise<RouteReply> {
  await readBody(request, z.object({}))
  return { status: 200, body: await startPasskeySignIn(platform, addressOf(request)) }
}

async function signInByPasskey(platform: Platform, request: Request): Promise<RouteReply> {
  const { csrfToken, challenge_id, response } = await readBody(request, passkeyForm)
  const form = { csrfToken, challenge_id, response: JSON.stringify(response) }
  const message = 'This passkey does not sign in here. Try again, or use a link by e-mail.'
  return signIn(platform, request, { provider: 'passkey', form, message })
}

async function signInAsDemo(platform: Platform, request: Request): Promise<RouteReply> {
  if (!platform.config.sandbox) throw buildNotFoundError()
  if (platform.config.isSandboxPublic) requireOperatorToken(platform.config, request.headers.get('authorization'))
  const form = await readBody(request, csrfForm)
  return signIn(platform, request, { provider: 'demo', form, message: 'There is no demo person here.' })
}

interface SignInForm {
  readonly provider: string
  readonly form: Readonly<Record<string, string>>
  /** The description of the refusal of an invalid proof. */
  readonly message: string
}

async function signIn(platform: Platform, request: Request, attempt: SignInForm): Promise<RouteReply> {
  const { provider, form, message } = attempt
  const previous = await readSessionClaims(platform, request.headers)
  const answer = await runNextAuth(platform, request, { route: ['callback', provider], form })
  requireCsrf(answer)
  const cookies = ownCookies(answer)
  const opened = await readSessionClaims(platform, new Headers({ cookie: cookies.map(pairOf).join('; ') }))
  if (opened === null) throw new ServiceError('invalid_token', message)
  // A browser has one session: the new one ends the one that it had.
  if (previous !== null) {
    await replaceSession(platform.db, { previousId: previous.id, nextId: opened.id }, platform.clock.now())
  }
  return { status: 200, body: { ok: true }, cookies, opened: { session: loggedSession(opened.id) } }
}

/** Returns name and value of a `Set-Cookie` header, without its attributes. */
const pairOf = (cookie: string): string => cookie.split(';', 1)[0] ?? ''

async function signOut(platform: Platform, request: Request): Promise<RouteReply> {
  const form = await readBody(request, csrfForm)
  const answer = await runNextAuth(platform, request, { route: ['signout'], form })
  requireCsrf(answer)
  return { status: 200, body: { ok: true }, cookies: ownCookies(answer) }
}

/** Throws 403 forbidden for a wrong CSRF token, which the library reports by redirecting to a page of its own. */
function requireCsrf(answer: Response): void {
  if (answer.headers.get('location')?.endsWith('csrf=true') !== true) return
  throw new ServiceError('forbidden', 'The page was open for too long. Reload it and try again.')
}

/** Returns the library's cookies but the one with the page to return to, which our pages keep themselves. */
function ownCookies(answer: Response): string[] {
  return answer.headers.getSetCookie().filter((cookie) => !/^[^=]*callback-url=/.test(cookie))
}

async function readBody<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const bytes = await readJsonBody(request)
  const result = schema.safeParse(parseJson(bytes.toString('utf8')))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ServiceError('invalid_request', `${issue?.path.join('.') || 'The body'} is missing or malformed.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The body must be JSON.', { cause })
  }
}

function toResponse({ status, body, cookies = [], headers: extra = {} }: RouteReply, requestId: string): Response {
  const headers = new Headers({
    ...extra,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(body), { status, headers })
}

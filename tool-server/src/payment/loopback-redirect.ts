import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AuthorizationAnswer, readRedirect } from '../client/authorize.js'
import { CountersignError } from '../errors.js'
import { isLoopbackHost } from '../http/address-guard.js'
import { parseUrl } from '../http/parse-url.js'
import { LISTEN_RETRY_MS } from '../limits.js'
import { pause } from '../pause.js'
import type { RedirectStore } from '../state/redirect-store.js'

/** The expected redirect; only one with this state, from this issuer, is accepted. */
export interface ExpectedRedirect {
  readonly redirectUri: string
  readonly state: string
  readonly issuer: string
}

type Take = (location: string) => boolean

/** A listener at one local address, with the redirects that are expected there, by their state. */
interface Listener {
  readonly waiting: Map<string, Take>
  /** The server; null when another process uses the address, which then passes on the redirects for this one. */
  readonly opened: Promise<Server | null>
  users: number
}

/** The listeners by origin. Several purchases can wait at one address. */
const listeners = new Map<string, Listener>()

/** Returns whether a redirect to this address arrives at this machine, where it can be waited for. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'http:' && isLoopbackHost(hostname)
}

/** How long to wait for a redirect, and the store through which another process passes it on. */
export interface RedirectWait {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly until: number
  readonly redirects: RedirectStore
}

/**
 * Listens at the redirect URI until the browser brings the response to this request; returns null when the time is up
 * or the call is cancelled. While another process uses the address, it is tried again; if that process has the same
 * home, it passes the redirect on.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8252#section-7.3}
 */
export async function awaitRedirect(
  expected: ExpectedRedirect,
  { signal: cancelled, until, redirects }: RedirectWait,
): Promise<AuthorizationAnswer | null> {
  const ended = new AbortController()
  const timeout = AbortSignal.timeout(Math.max(0, until - Date.now()))
  const signal = AbortSignal.any([cancelled, timeout, ended.signal])
  await redirects.expect(expected.state, until)
  try {
    return await Promise.race([listen(expected, redirects, signal), collect(expected, redirects, signal)])
  } finally {
    ended.abort()
    await redirects.forget(expected.state)
  }
}

async function listen(
  expected: ExpectedRedirect,
  redirects: RedirectStore,
  signal: AbortSignal,
): Promise<AuthorizationAnswer | null> {
  const address = new URL(expected.redirectUri)
  while (!signal.aborted) {
    const listener = join(address, redirects)
    try {
      if ((await listener.opened) !== null) return await takeAnswer(listener, expected, signal)
    } finally {
      leave(address.origin, listener)
    }
    await pause(LISTEN_RETRY_MS, signal).catch(() => undefined)
  }
  return null
}

/** Waits for the redirect that another process passes on. */
async function collect(
  expected: ExpectedRedirect,
  redirects: RedirectStore,
  signal: AbortSignal,
): Promise<AuthorizationAnswer | null> {
  while (!signal.aborted) {
    const location = await redirects.handed(expected.state)
    const answer = location === undefined ? null : readAnswer(location, expected)
    if (answer !== null) return answer
    await pause(LISTEN_RETRY_MS, signal).catch(() => undefined)
  }
  return null
}

async function takeAnswer(
  { waiting }: Listener,
  expected: ExpectedRedirect,
  signal: AbortSignal,
): Promise<AuthorizationAnswer | null> {
  try {
    return await new Promise((resolve) => {
      waiting.set(expected.state, (location) => {
        const answer = readAnswer(location, expected)
        if (answer !== null) resolve(answer)
        return answer !== null
      })
      if (signal.aborted) resolve(null)
      signal.addEventListener('abort', () => resolve(null), { once: true })
    })
  } finally {
    waiting.delete(expected.state)
  }
}

function readAnswer(location: string, { redirectUri, state, issuer }: ExpectedRedirect): AuthorizationAnswer | null {
  try {
    return readRedirect(location, { redirectUri, state }, issuer)
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}

/** Returns the listener at this address, opened if this process has none yet. */
function join(address: URL, redirects: RedirectStore): Listener {
  const waiting = new Map<string, Take>()
  const listener = listeners.get(address.origin) ?? { waiting, opened: open(address, { waiting, redirects }), users: 0 }
  listeners.set(address.origin, listener)
  listener.users += 1
  return listener
}

/** Closes the listener with its last user. The last response is still sent; the address is free at once. */
function leave(origin: string, listener: Listener): void {
  listener.users -= 1
  if (listener.users > 0) return
  listeners.delete(origin)
  void listener.opened.then((server) => server?.close())
}

/** The receivers of a redirect: waiters of this process, and the store for other processes. */
interface Takers {
  readonly waiting: Listener['waiting']
  readonly redirects: RedirectStore
}

function open({ origin, hostname, port }: URL, takers: Takers): Promise<Server | null> {
  const server = createServer((request, response) => {
    void take(takers, request, origin)
      .catch(() => false)
      .then((isTaken) => respond(response, isTaken))
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(Number(port || '80'), hostname.replace(/^\[|\]$/g, ''), () => resolve(server))
  })
}

async function take({ waiting, redirects }: Takers, request: IncomingMessage, origin: string): Promise<boolean> {
  const { method, url = '/', headers } = request
  const location = method === 'GET' && headers.host === new URL(origin).host ? parseUrl(url, origin) : null
  const state = location?.searchParams.get('state') ?? ''
  if (location === null || state === '') return false
  const taker = waiting.get(state)
  return taker === undefined ? redirects.hand(state, location.href) : taker(location.href)
}

/** Sends the page for the browser, which repeats nothing of the request. */
function respond(response: ServerResponse, isTaken: boolean): void {
  const text = isTaken ? 'Confirmed, you can close this.' : 'Nothing is waited for here.'
  response
    .writeHead(isTaken ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(`<!doctype html><html lang="en"><title>Countersign</title><p>${text}</p></html>`)
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AuthorizationAnswer, readRedirect } from '../client/authorize.js'
import { CountersignError } from '../errors.js'
import { isLoopbackHost } from '../http/address-guard.js'
import { parseUrl } from '../http/parse-url.js'
import { LISTEN_RETRY_MS } from '../limits.js'
import { pause } from '../pause.js'

/** The redirect that is waited for: only one with its state, from its issuer, is taken. */
export interface ExpectedRedirect {
  readonly redirectUri: string
  readonly state: string
  readonly issuer: string
}

type Take = (location: string) => boolean

/** One address of this machine, and the redirects that are waited for there, by their state. */
interface Listener {
  readonly waiting: Map<string, Take>
  /** Null when another process has the address. */
  readonly opened: Promise<Server | null>
  users: number
}

/** By origin. Several purchases can wait at one address. */
const listeners = new Map<string, Listener>()

/** Whether a redirect to this address ends at this machine, where it can be waited for. */
export function isLoopbackRedirect(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'http:' && isLoopbackHost(hostname)
}

/**
 * Listens at the redirect URI until the browser brings the answer to this request; null when the time is up or the call
 * is cancelled. An address that another process has is tried again meanwhile.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8252#section-7.3}
 */
export async function awaitRedirect(
  expected: ExpectedRedirect,
  wait: { readonly signal: AbortSignal; readonly until: number },
): Promise<AuthorizationAnswer | null> {
  const timeout = AbortSignal.timeout(Math.max(0, wait.until - Date.now()))
  const signal = AbortSignal.any([wait.signal, timeout])
  const address = new URL(expected.redirectUri)
  while (!signal.aborted) {
    const listener = join(address)
    try {
      if ((await listener.opened) !== null) return await takeAnswer(listener, expected, signal)
    } finally {
      leave(address.origin, listener)
    }
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

/** The listener at this address, opened when nobody in this process has it yet. */
function join(address: URL): Listener {
  const waiting = new Map<string, Take>()
  const listener = listeners.get(address.origin) ?? { waiting, opened: open(address, waiting), users: 0 }
  listeners.set(address.origin, listener)
  listener.users += 1
  return listener
}

/** The last answer still leaves; the address is free at once. */
function leave(origin: string, listener: Listener): void {
  listener.users -= 1
  if (listener.users > 0) return
  listeners.delete(origin)
  void listener.opened.then((server) => server?.close())
}

function open({ origin, hostname, port }: URL, waiting: Listener['waiting']): Promise<Server | null> {
  const server = createServer((request, response) => respond(response, take(waiting, request, origin)))
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(Number(port || '80'), hostname.replace(/^\[|\]$/g, ''), () => resolve(server))
  })
}

function take(waiting: Listener['waiting'], { method, url = '/', headers }: IncomingMessage, origin: string): boolean {
  const location = method === 'GET' && headers.host === new URL(origin).host ? parseUrl(url, origin) : null
  if (location === null) return false
  return waiting.get(location.searchParams.get('state') ?? '')?.(location.href) ?? false
}

/** Nothing of the request is repeated in the page. */
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

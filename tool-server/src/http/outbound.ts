import { type IncomingHttpHeaders, type IncomingMessage, request as openHttp } from 'node:http'
import { request as openHttps } from 'node:https'
import { AddressRefused, Cancelled, TransportFailure, throwIfCancelled } from '../errors.js'
import { parseJson } from '../json.js'
import { HTTP_TIMEOUT_MS, RESPONSE_MAX_BYTES } from '../limits.js'
import { PACKAGE_INFO } from '../package-info.js'
import { guardedLookup, requireAllowedUrl } from './address-guard.js'

/** An outbound HTTP request. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** Whether to return a redirect as a response instead of refusing it. It is never followed. */
  readonly acceptRedirect?: boolean
  /** Whether to accept a body that is no JSON, without `json`, instead of refusing it. */
  readonly acceptAnyBody?: boolean
}

/** A response: its body as received, and its JSON, or undefined when there is none. */
export interface OutboundReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly json: unknown
}

/** Sends one request within the restrictions of {@link createOutbound}. */
export type SendRequest = (request: OutboundRequest) => Promise<OutboundReply>

const JSON_MEDIA_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i

interface OutboundOptions {
  readonly allowLoopback: boolean
  /** The server that the person configured, whose port is not checked. */
  readonly ownServer?: string
}

/**
 * Returns the only function that sends requests: https to public addresses (and http to this machine where a sandbox
 * needs it), no redirects, limited time and size, JSON only.
 */
export function createOutbound(options: OutboundOptions): SendRequest {
  return async (request) => {
    throwIfCancelled(request.signal)
    const url = requireAllowedUrl(request.url, options.allowLoopback, options.ownServer)
    const timeout = AbortSignal.timeout(request.timeoutMs ?? HTTP_TIMEOUT_MS)
    const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal])
    try {
      const response = await open(request, url, signal)
      const body = await readBody(response, request.maxBytes ?? RESPONSE_MAX_BYTES)
      return toReply(request, response, body)
    } catch (error) {
      if (request.signal?.aborted) throw new Cancelled()
      if (error instanceof AddressRefused || error instanceof TransportFailure) throw error
      throw new TransportFailure(timeout.aborted ? 'timeout' : errorCode(error))
    }
  }
}

function open(request: OutboundRequest, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const openRequest = url.protocol === 'https:' ? openHttps : openHttp
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': `${PACKAGE_INFO.name}/${PACKAGE_INFO.version}`,
        ...request.headers,
        ...(request.body !== undefined && { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      // A new connection each time: the peer may close a reused one just as a payment is sent over it.
      agent: false,
      lookup: guardedLookup,
      signal,
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(request.body)
  })
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) {
      response.destroy()
      throw new TransportFailure('the answer is too large')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toReply(request: OutboundRequest, response: IncomingMessage, body: Buffer): OutboundReply {
  const status = response.statusCode ?? 0
  const kind = Math.floor(status / 100)
  if (kind === 3 && request.acceptRedirect !== true) throw new TransportFailure('redirects are not followed')
  const isJson = JSON_MEDIA_TYPE.test(response.headers['content-type'] ?? '')
  const json = isJson ? parseJson(body.toString('utf8')) : undefined
  if (kind === 2 && body.length > 0 && json === undefined && request.acceptAnyBody !== true)
    throw new TransportFailure('the answer is not JSON')
  return { status, headers: response.headers, body, json }
}

function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'network error'
}

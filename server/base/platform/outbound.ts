import { lookup as resolveName } from 'node:dns'
import { type IncomingMessage, request as openHttp } from 'node:http'
import { request as openHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OutboundFailure } from '../core/outbound-failure'
import { outsideRequests } from '../core/outside-requests'
import { parseUrl } from '../core/parse-url'
import type { Outbound, OutboundAnswer } from '../core/platform'
import { isGlobalAddress, isLoopbackHost } from '../protocol/ip-address'
import { FOREIGN_ANSWER_MAX_BYTES, FOREIGN_FETCH_MAX_SECONDS, URI_MAX_CHARS } from '../protocol/lifetimes'

const HTTPS_PORT = 443
const HTTP_PORT = 80
/** The lowest port that is allowed, besides 443 at other machines; lower ones belong to a machine's own services. */
const FIRST_FREE_PORT = 1_024
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/
const USER_INFORMATION = /^[a-z][a-z\d+.-]*:\/*[^/?]*@/i
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

interface OutboundOptions {
  /** Whether http to this machine is allowed as well, at ports from 1024. */
  readonly allowLoopback: boolean
  /** 5 s by default. */
  readonly timeoutMilliseconds?: number
  /** Resolves names; by default the system's resolver. */
  readonly lookup?: LookupFunction
  /** The trusted certificate authority, as PEM; by default those of Node.js. */
  readonly certificateAuthority?: string
}

/**
 * Creates the client for all requests to addresses from other parties. It connects to the same IP address that it has
 * checked, so that a name cannot resolve to another one in between. It follows no redirects, reuses no connections and
 * limits time and size.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { allowLoopback, timeoutMilliseconds = FOREIGN_FETCH_MAX_SECONDS * 1000 } = options
  const dial = {
    lookup: guardLookup(options.lookup ?? resolveName),
    ...(options.certificateAuthority !== undefined && { ca: options.certificateAuthority }),
  }
  const send = async (address: string, { signal, ...request }: OutboundRequest): Promise<OutboundAnswer> => {
    const url = requireAllowedUrl(address, allowLoopback)
    const timeout = outsideRequests(() => AbortSignal.timeout(timeoutMilliseconds))
    const ends = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
    try {
      return await read(await open(url, { ...dial, ...request, signal: ends }))
    } catch (error) {
      if (error instanceof OutboundFailure) throw error
      throw new OutboundFailure(timeout.aborted ? 'No whole answer came in time.' : 'The server did not answer.', {
        cause: error,
      })
    }
  }
  return {
    get: (address, { accept, signal }) => send(address, { method: 'GET', headers: { accept }, body: null, signal }),
    post: (address, { headers, body }) => send(address, { method: 'POST', headers, body }),
    allows(address) {
      try {
        requireAllowedUrl(address, allowLoopback)
        return true
      } catch {
        return false
      }
    },
  }
}

/** Returns the URL; throws OutboundFailure unless its form, scheme, host and port are allowed. */
function requireAllowedUrl(address: string, allowLoopback: boolean): URL {
  const url = parseAddress(address)
  const isTrial = allowLoopback && LOOPBACK.test(url.hostname)
  const isScheme = url.protocol === 'https:' || (isTrial && url.protocol === 'http:')
  if (!isScheme) throw new OutboundFailure('The address is not https.')
  const port = portOf(url)
  const isPort = port >= FIRST_FREE_PORT || (port === HTTPS_PORT && !isTrial)
  if (!isPort) throw new OutboundFailure('The port is not allowed.')
  if (!isTrial && isSpecialHost(url.hostname)) throw new OutboundFailure('The address is not a public one.')
  return url
}

/** Parses a URL. Refuses texts on which parsers disagree (blanks, controls, backslashes, letters beyond ASCII). */
function parseAddress(address: string): URL {
  const url = address.length <= URI_MAX_CHARS && PLAIN.test(address) ? parseUrl(address) : null
  if (url === null) throw new OutboundFailure('The address is no URL.')
  if (USER_INFORMATION.test(address) || address.includes('#')) {
    throw new OutboundFailure('The address has user information or a fragment.')
  }
  return url
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? HTTPS_PORT : HTTP_PORT
}

/** Whether a host is this machine, or an address that is not public. Names are checked when they are resolved. */
function isSpecialHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  return isLoopbackHost(hostname) || (isIP(literal) !== 0 && !isGlobalAddress(literal))
}

/** Returns a resolver that fails unless every address of the name is allowed. It runs once per request. */
function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
      const mayDial = isLoopbackHost(hostname) ? isLoopbackAddress : isGlobalAddress
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => mayDial(address))) {
        return callback(new OutboundFailure('The address is not a public one.'), [])
      }
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}

const isLoopbackAddress = (address: string): boolean => address === '127.0.0.1' || address === '::1'

interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  readonly signal?: AbortSignal | undefined
}

interface DialOptions extends OutboundRequest {
  readonly lookup: LookupFunction
  readonly ca?: string
  readonly signal: AbortSignal
}

function open(url: URL, { headers, body, ...dial }: DialOptions): Promise<IncomingMessage> {
  const openRequest = url.protocol === 'https:' ? openHttps : openHttp
  return new Promise((answered, failed) => {
    const outgoing = openRequest(url, {
      ...dial,
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'countersign' },
      agent: false,
      rejectUnauthorized: true,
    })
    outgoing.on('response', answered)
    outgoing.on('error', failed)
    // A connection that the server upgrades to another protocol is closed without an error.
    outgoing.on('close', () => failed(new OutboundFailure('The server did not answer.')))
    outgoing.end(body ?? undefined)
  })
}

async function read(response: IncomingMessage): Promise<OutboundAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > FOREIGN_ANSWER_MAX_BYTES) {
      response.destroy()
      throw new OutboundFailure('The answer is too large.')
    }
    chunks.push(chunk)
  }
  const mediaType = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? null
  const retryAfter = response.headers['retry-after'] ?? null
  return { status: response.statusCode ?? 0, mediaType, body: Buffer.concat(chunks), retryAfter }
}

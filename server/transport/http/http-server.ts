import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Platform } from '../../base/core/platform'
import { StartFailure } from '../../base/platform/start-failure'
import { HEADERS_MAX_BYTES, timeouts, UNREAD_TIMEOUT_MS } from './bounds'
import { brokenRequestResponse } from './broken-request'
import type { Lane } from './lane'
import { Pending } from './pending'
import { baselineHeaders } from './reply'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface HttpServerOptions {
  readonly platform: Platform
  readonly lane: Lane
  /** Answers what the lane leaves; a lane that stands alone leaves nothing. */
  readonly fallback?: Handler | undefined
  /** Other times than those of bounds.ts. */
  readonly times?: Partial<Record<keyof typeof timeouts, number>>
}

export interface HttpServer {
  /** Listens on the addresses of the configuration; resolves to the port, which the system chooses for 0. */
  listen(port: number): Promise<number>
  /**
   * Stops without breaking anything off: readiness turns 503 and answers end their connection at once, new connections
   * are taken for `graceSeconds` longer, and what was accepted is answered.
   */
  stop(graceSeconds: number): Promise<void>
}

/** How long what was accepted may take after the grace: longer than a settlement. */
const FINISH_WITHIN_MS = 12_000

/** New connections are taken for this long after the grace when they do not stop coming: a busy process takes ten a second. */
const TAKE_WITHIN_MS = 12_000
const QUIET_TURNS = 3

/** Node's HTTP server in front of both lanes, on every address that the configuration names. */
export function createHttpServer({ platform, lane, fallback, times = {} }: HttpServerOptions): HttpServer {
  const pending = new Pending()
  const servers: Server[] = []
  const connections = new Connections()
  const answer: Handler = async (request, response) => {
    if (await lane.handle(request, response)) return
    // Pages bring stricter ones; built files and answers below /api/ have these.
    response.setHeaders(baselineHeaders(platform))
    await fallback?.(request, response)
  }
  const create = () => {
    const server = createServer(nodeOptions({ ...timeouts, ...times }), (request, response) => {
      pending.add(request, response)
      if (platform.shutdown.hasBegun()) endWithAnswer(response)
      // What goes wrong while answering ends this connection, and not the process.
      answer(request, response).catch((error) => {
        platform.log.error('request failed', {}, error)
        response.destroy()
      })
    })
    server.on('connection', (socket: Socket) => connections.add(socket))
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => void refuseBroken(error, socket))
    servers.push(server)
    return server
  }
  /**
   * Waits until nothing has arrived for a few turns. Closing the listener resets the connections that the system holds for
   * this process, of which Node takes one a turn; and a busy process may not have read yet what idle connections have sent.
   */
  async function takeWaiting(): Promise<void> {
    const giveUpAt = performance.now() + TAKE_WITHIN_MS
    let before = -1
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < giveUpAt; quiet += 1) {
      if (connections.taken !== before) quiet = 0
      before = connections.taken
      await setImmediate()
    }
  }
  const refusing = new WeakSet<Duplex>()
  /** The bytes end the connection, but not before the requests ahead of them are answered. */
  async function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
    if (refusing.has(socket)) return
    refusing.add(socket)
    await pending.answered(socket)
    const destroy = () => void socket.destroy()
    if (!socket.writable) return destroy()
    socket.end(brokenRequestResponse(error, platform.config.baseUrl))
    // A client that is still sending would see a broken connection instead of the answer.
    const timer = setTimeout(destroy, UNREAD_TIMEOUT_MS)
    socket.once('end', destroy).once('close', () => clearTimeout(timer))
  }
  return {
    listen: (port) => listenEverywhere(create, platform.config.listenHosts ?? [undefined], port),
    async stop(graceSeconds) {
      platform.shutdown.begin()
      for (const response of pending.open()) endWithAnswer(response)
      await delay(graceSeconds * 1000)
      await takeWaiting()
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      for (const server of servers) server.closeIdleConnections()
      const timer = setTimeout(() => connections.destroy(), FINISH_WITHIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/** The connections that are open, also those that Node's server has handed on, and how many were taken. */
class Connections {
  readonly #open = new Set<Socket>()
  taken = 0

  add(socket: Socket): void {
    this.taken += 1
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

/** Node looks for late requests now and then, and newer versions add a second to the idle time: each holds within one. */
function nodeOptions(times: Record<keyof typeof timeouts, number>): ServerOptions {
  return {
    ...times,
    keepAliveTimeout: times.keepAliveTimeout - 500,
    connectionsCheckingInterval: 500,
    maxHeaderSize: HEADERS_MAX_BYTES,
  }
}

/** A connection that stays open would be one that the end of the process breaks. */
function endWithAnswer(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** Listens on every address that is wanted; undefined is every address, and a machine without IPv6 has no ::1. */
async function listenEverywhere(create: () => Server, hosts: readonly (string | undefined)[], port: number) {
  let chosen = port
  for (const host of hosts) {
    try {
      chosen = await listen(create(), { host, port: chosen })
    } catch (error) {
      if (host !== '::1' || !(error instanceof AddressMissing)) throw error
    }
  }
  return chosen
}

/** This machine does not have the address. */
class AddressMissing extends StartFailure {}

function explainListening(error: NodeJS.ErrnoException, { host, port }: { host: string | undefined; port: number }) {
  const { code = '' } = error
  const place = `${host === undefined ? 'every address' : host}, port ${port}`
  const fail = (words: string) => `The server cannot listen on ${place}: ${words} (${code}).`
  if (code === 'EADDRINUSE') {
    return new StartFailure(`${fail('another program does')} Stop that one, or choose another PORT.`, { cause: error })
  }
  if (code === 'EACCES') {
    return new StartFailure(`${fail('this user may not')} Choose a PORT above 1023.`, { cause: error })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') {
    return new AddressMissing(`${fail('this machine does not have the address')} Correct HOST.`, { cause: error })
  }
  return error
}

async function listen(server: Server, { host, port }: { host: string | undefined; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, { host, port })))
    server.listen({ port, ...(host !== undefined && { host }), ipv6Only: host === '::1' }, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

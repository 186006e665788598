/** Decisions D31, D32, F41, G47 and G48: clients that go away, processes that stop, and bytes that are no request. */
import { once } from 'node:events'
import { Agent as Connections, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { operations } from '@/server/operations'
import { createHttpServer, createLane, type HttpServerOptions } from '@/server/transport/http'
import { readyAgent } from '../oauth/setup'
import { type Agent, dpopProof, exchange, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp({ env: { SHUTDOWN_GRACE_SECONDS: '1' } })
})
afterAll(() => app.close())
afterEach(() => {
  vi.restoreAllMocks()
})

/** The front of the production server, as server.mjs starts it, on a port of its own. */
async function startFront(more: Partial<HttpServerOptions> = {}) {
  let stopping = false
  const shutdown = { begin: () => void (stopping = true), hasBegun: () => stopping }
  const platform = { ...app.platform, shutdown }
  const lane = createLane({ operations, platform, mode: 'direct' })
  const fallback = async (_: IncomingMessage, response: { end(body: string): unknown }) => {
    await delay(100)
    response.end('page')
  }
  const server = createHttpServer({ platform, lane, fallback, ...more })
  return { port: await server.listen(0), stop: (graceSeconds = 0) => server.stop(graceSeconds) }
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const head = (line: string, port: number, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n')

const form = 'Content-Type: application/x-www-form-urlencoded'
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

/** The log lines of requests, and whether any line was an error. */
function watchLog() {
  const info = vi.spyOn(app.platform.log, 'info')
  const error = vi.spyOn(app.platform.log, 'error')
  return {
    statuses: () => info.mock.calls.filter(([words]) => words === 'request').map(([, fields]) => fields?.['status']),
    errors: () => error.mock.calls,
  }
}

describe('a client that goes away', () => {
  test.each([
    ['POST', '/oauth/par', form],
    ['POST', '/settlement/settle', 'Content-Type: application/json'],
  ])('D31, G48 %s %s with a body that is broken off is 499 at info', async (method, path, type) => {
    const log = watchLog()
    const front = await startFront()
    const socket = await dial(front.port)
    socket.write(head(`${method} ${path}`, front.port, type, 'Content-Length: 100'))
    socket.write('client_id=')
    await delay(50)
    socket.resetAndDestroy()
    await vi.waitFor(() => expect(log.statuses()).toEqual([499]))
    expect(log.errors()).toEqual([])
    await front.stop()
  })

  test('D31 a client that does not wait for its answer is 499 at info', async () => {
    const log = watchLog()
    const { ping } = app.platform.db
    vi.spyOn(app.platform.db, 'ping').mockImplementation(async () => {
      await delay(150)
      await ping.call(app.platform.db)
    })
    const front = await startFront()
    const socket = await dial(front.port)
    socket.write(head('GET /readyz', front.port))
    await delay(50)
    socket.resetAndDestroy()
    await vi.waitFor(() => expect(log.statuses()).toEqual([499]))
    expect(log.errors()).toEqual([])
    await front.stop()
  })
})

describe('readiness', () => {
  const readiness = async () => {
    const { status, json } = await exchange(`${app.baseUrl}/readyz`)
    return [status, json]
  }

  test('D32 without the cache the service is degraded, and ready', async () => {
    expect(await readiness()).toEqual([200, { status: 'ready', database: 'ok', cache: 'ok' }])
    vi.spyOn(app.platform.cache, 'ping').mockRejectedValue(new Error('away'))
    expect(await readiness()).toEqual([200, { status: 'degraded', database: 'ok', cache: 'unreachable' }])
  })

  test('D32 without the database the service is not ready', async () => {
    vi.spyOn(app.platform.db, 'ping').mockRejectedValue(new Error('away'))
    expect(await readiness()).toEqual([503, { status: 'unavailable', database: 'unreachable', cache: 'ok' }])
  })
})

test('F41 a velocity window is at most 31 days', async () => {
  const { principalId } = await newPrincipal(app)
  const person = await Person.signIn(app, principalId)
  const save = (seconds: number) =>
    person.call('POST', '/wallet/limits', { velocity_count: 1, velocity_window_seconds: seconds })
  expect((await save(31 * 86_400)).status).toBe(200)
  expect((await save(31 * 86_400 + 1)).status).toBe(422)
})

describe('SIGTERM', () => {
  test('G47 readiness turns 503 first, while the listener is still open, and then it closes', async () => {
    const front = await startFront()
    const startedAt = performance.now()
    const stopped = front.stop(2)
    for (const [path, status] of [
      ['/readyz', 503],
      ['/oauth/jwks.json', 200],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${front.port}${path}`)
      expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, status, 'close'])
    }
    await vi.waitFor(
      () => expect(fetch(`http://127.0.0.1:${front.port}/healthz`)).rejects.toThrow('fetch failed'),
      9_000,
    )
    expect(performance.now() - startedAt).toBeGreaterThan(1_990)
    await stopped
  })

  test('G47 a request that was accepted before is answered, and its connection ends', async () => {
    const front = await startFront()
    const answer = fetch(`http://127.0.0.1:${front.port}/page`)
    await delay(50)
    await front.stop()
    expect([(await answer).headers.get('connection'), await (await answer).text()]).toEqual(['close', 'page'])
  })

  test('G47 no connection of 50 settling and 40 keep-alive clients is reset', { timeout: 60_000 }, async () => {
    const agent = await readyAgent(app)
    const bought = []
    for (let index = 0; index < 50; index += 1) bought.push(await agent.buy())
    const orders = await Promise.all(bought.map((tokens, index) => settlementOf(agent, tokens, `order-${index}`)))
    const front = await startFront()
    const settling = orders.map(async (order, index) => {
      await delay(index * 10)
      return send(front.port, order)
    })
    const visiting = Array.from({ length: 40 }, () => visitUntilClosed(front.port))
    await delay(150)
    const stopped = front.stop(6)
    expect(await Promise.all(settling)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(await Promise.all(visiting)).toEqual(Array.from({ length: 40 }, () => 'close'))
    await stopped
  })

  test('G47 connections that wait to be taken when the listener closes are answered', async () => {
    const front = await startFront()
    const answers = Array.from({ length: 200 }, () => send(front.port, { path: '/healthz' }))
    await front.stop()
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 200 }, () => 200))
  })

  test('G47 clients on the same machine whose idle connections are closed connect again and are answered', async () => {
    const front = await startFront()
    const idle = await Promise.all(Array.from({ length: 50 }, () => dial(front.port)))
    const again = idle.map(async (socket) => {
      socket.write(head('GET /healthz', front.port))
      await once(socket, 'end')
      return send(front.port, { path: '/healthz' })
    })
    for (const socket of idle) socket.resume()
    await delay(200)
    await front.stop()
    expect(await Promise.all(again)).toEqual(Array.from({ length: 50 }, () => 200))
  })
})

/** A request to settle a purchase, signed and ready to be sent. */
async function settlementOf(agent: Agent, bought: Bought, idempotency_key: string): Promise<SentRequest> {
  const { access_token: accessToken, mandate_jwt: mandate } = bought
  const url = `${app.baseUrl}/settlement/settle`
  const dpop = await dpopProof(app, agent.dpopKey, { method: 'POST', url, accessToken })
  const headers = { authorization: `DPoP ${accessToken}`, dpop, 'content-type': 'application/json' }
  return { path: '/settlement/settle', method: 'POST', headers, body: JSON.stringify({ mandate, idempotency_key }) }
}

type Bought = Awaited<ReturnType<Agent['buy']>>

interface SentRequest {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly agent?: Connections
}

async function receive(port: number, { body, ...options }: SentRequest): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port, agent: false, ...options }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await text(response)
  return response
}

const send = async (port: number, sent: SentRequest) => (await receive(port, sent)).statusCode

/** A client on one connection, until an answer ends it. */
async function visitUntilClosed(port: number): Promise<string> {
  const agent = new Connections({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    const response = await receive(port, { path: '/healthz', agent })
    if (response.headers.connection === 'close') return 'close'
    await delay(20)
  }
}

describe('malformed bytes', () => {
  test.each(['/page', '/oauth/jwks.json'])(
    'G48 after GET %s end the connection when that is answered',
    async (path) => {
      const front = await startFront()
      const socket = await dial(front.port)
      socket.write(`${head(`GET ${path}`, front.port)}\u0001 no request\r\n\r\n`)
      const answer = await text(socket)
      expect(statuses(answer)).toEqual([200, 400])
      expect(answer.split('\r\n\r\n').at(-1)).toContain('"invalid_request"')
      await front.stop()
    },
  )

  test('G48 in several packets after requests that wait change nothing', async () => {
    const front = await startFront()
    const socket = await dial(front.port)
    socket.write(head('GET /page', front.port) + head('GET /other', front.port))
    for (let index = 0; index < 3; index += 1) {
      socket.write('\u0001\u0002 no request\r\n\r\n')
      await delay(10)
    }
    expect(statuses(await text(socket))).toEqual([200, 200, 400])
    await front.stop()
  })

  test('G48 within a body end its request', async () => {
    const log = watchLog()
    const front = await startFront()
    const socket = await dial(front.port)
    socket.write(`${head('POST /oauth/par', front.port, form, 'Transfer-Encoding: chunked')}no length\r\n`)
    expect(statuses(await text(socket))).toEqual([400])
    await vi.waitFor(() => expect(log.statuses()).toEqual([499]))
    await front.stop()
  })
})

describe('an answer that the service leaves to others', () => {
  test.each([
    ['http://localhost:3000', null],
    ['https://pay.example.com', 'max-age=63072000; includeSubDomains'],
  ])('below %s may not be framed or taken for something else', async (baseUrl, hsts) => {
    const front = await startFront({ platform: { ...app.platform, config: { ...app.platform.config, baseUrl } } })
    const { headers } = await fetch(`http://127.0.0.1:${front.port}/_next/static/file.js`)
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBe(hsts)
    await front.stop()
  })
})

describe('timeouts', () => {
  const times = { headersTimeout: 1_000, requestTimeout: 2_000, keepAliveTimeout: 1_500 }
  test.each([
    ['headers', () => 'GET /healthz HTTP/1.1\r\nHost:', 1_000, [408]],
    ['bodies', (port: number) => `${head('POST /oauth/par', port, form, 'Content-Length: 9')}a`, 2_000, [408]],
    ['idle connections', (port: number) => head('GET /healthz', port), 1_500, [200]],
  ])('G48 of %s hold within a second', async (_what, bytes, milliseconds, expected) => {
    const front = await startFront({ times })
    const socket = await dial(front.port)
    const startedAt = performance.now()
    socket.write(bytes(front.port))
    expect(statuses(await text(socket))).toEqual(expected)
    const took = performance.now() - startedAt
    expect(took).toBeGreaterThan(milliseconds - 600)
    expect(took).toBeLessThan(milliseconds + 1_000)
    await front.stop()
  })
})

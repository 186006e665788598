/** Contract 7: which traces are sent to a collector, and what they do not say. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { spanAttributes } from '@/server/base/core/telemetry'
import { jobHandlers } from '@/server/jobs'
import { enqueueJob, runDueJobs } from '@/server/shared/queue'
import { Agent, exchange, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { type Collector, type SentSpan, spanKinds, startCollector } from '../support/collector'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${SPAN}-01`

let collector: Collector
beforeAll(async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20')
  collector = await startCollector()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await collector.close()
})

const startTraced = (env: Readonly<Record<string, string>> = {}, { url } = collector) =>
  startApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env } })

/** The spans that the work left, once one has arrived that `isLast` takes. */
async function spansOf(work: () => Promise<unknown>, isLast: (span: SentSpan) => boolean): Promise<SentSpan[]> {
  const before = collector.spans.length
  await work()
  await vi.waitFor(() => expect(collector.spans.slice(before).filter(isLast)).not.toEqual([]), { timeout: 5_000 })
  return collector.spans.slice(before)
}

const named = (name: string) => (span: SentSpan) => span.name === name
const childrenOf = (spans: readonly SentSpan[], parent: SentSpan | undefined) =>
  spans.filter(({ parentSpanId, traceId }) => parentSpanId === parent?.spanId && traceId === parent?.traceId)

/** An agent with a code in hand, and how it goes on. */
async function newBuyer(app: App) {
  const { principalId, ...rest } = await newPrincipal(app, { card: 'success', approval_rule: 'above_limits' })
  const agent = await Agent.register(app, principalId)
  const bought = await agent.buy()
  const settle = () => agent.settle(bought.access_token, bought.mandate_jwt, 'order-1')
  return { principalId, agent, bought, settle, ...rest }
}

describe('with a collector', () => {
  let app: App
  beforeAll(async () => {
    app = await startTraced()
  })
  afterAll(() => app.close())

  test('a purchase is a request with the requests to the card processor below it', async () => {
    const { settle } = await newBuyer(app)
    const spans = await spansOf(async () => must(await settle(), 200), named('POST /settlement/settle'))
    const request = spans.find(named('POST /settlement/settle'))
    expect(request).toMatchObject({
      kind: spanKinds.server,
      links: [],
      scope: 'countersign',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/settlement/settle',
        'http.response.status_code': 200,
        'countersign.operation': 'settle',
        'countersign.request_id': expect.stringMatching(/^[\da-f-]{36}$/),
        'countersign.caller': 'agent',
      },
    })
    expect(request?.parentSpanId ?? '').toBe('')
    const names = childrenOf(spans, request).map(({ name, kind }) => `${kind} ${name}`)
    expect(names).toEqual(
      expect.arrayContaining(['3 processor createPaymentIntent', '3 processor confirmPaymentIntent']),
    )
  })

  test('a refusal says its code, and only a fault of the server is an error', async () => {
    const spans = await spansOf(() => exchange(`${app.baseUrl}/wallet/limits`), named('GET /wallet/limits'))
    expect(spans.find(named('GET /wallet/limits'))).toMatchObject({
      status: { code: 0 },
      attributes: {
        'http.response.status_code': 401,
        'error.type': 'invalid_token',
        'countersign.caller': 'anonymous',
      },
    })
  })

  test('a transaction is below the request that waits for it, with its outcome', async () => {
    const { principalId } = await newPrincipal(app, { card: 'success', approval_rule: 'above_limits' })
    const person = await Person.signIn(app, principalId)
    const change = () => person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
    const spans = await spansOf(change, named('POST /wallet/limits'))
    const request = spans.find(named('POST /wallet/limits'))
    expect(childrenOf(spans, request)).toContainEqual(
      expect.objectContaining({
        name: 'database transaction',
        attributes: {
          'db.system.name': 'postgresql',
          'countersign.outcome': 'committed',
          'countersign.attempts': 1,
        },
      }),
    )
  })

  test("a caller's trace becomes a link, and a wrong one nothing", async () => {
    const ask = (sent: string) => () => exchange(`${app.baseUrl}/oauth/jwks.json`, { headers: { traceparent: sent } })
    const [linked] = await spansOf(ask(traceparent), (span) => span.kind === spanKinds.server)
    expect(linked).toMatchObject({ links: [{ traceId: TRACE, spanId: SPAN }] })
    expect(linked?.traceId).not.toBe(TRACE)
    const [alone] = await spansOf(ask(`${traceparent}x`), (span) => span.kind === spanKinds.server)
    expect(alone).toMatchObject({ links: [], name: linked?.name })
  })

  test('requests whose work is done together have a trace each, with their own work alone', async () => {
    const buyers = await Promise.all([1, 2, 3, 4].map(() => newBuyer(app)))
    const requests = () => collector.spans.filter(named('POST /settlement/settle'))
    const before = requests().length
    const spans = await spansOf(
      () => Promise.all(buyers.map(async ({ settle }) => must(await settle(), 200))),
      () => requests().length === before + buyers.length,
    )
    const own = spans.filter(named('POST /settlement/settle'))
    expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(buyers.length)
    for (const request of own) {
      const confirmed = spans.filter(
        ({ traceId, name }) => traceId === request.traceId && name === 'processor confirmPaymentIntent',
      )
      expect(confirmed).toHaveLength(1)
    }
  })

  test('a job is a trace of its own, also when a request makes it start', async () => {
    const { db, telemetry, clock } = app.platform
    const start = { kind: 'server', name: 'POST /test', traceparent: null, attributes: {} } as const
    const handlers = { ...jobHandlers, test: async () => db.transaction(async () => undefined) }
    const nudged = telemetry.traced(start, async () => {
      await db.transaction((tx) =>
        enqueueJob(tx, { now: clock.now(), platform: app.platform }, { kind: 'test', key: 'traces', payload: {} }),
      )
      await runDueJobs(app.platform, handlers)
    })
    const spans = await spansOf(() => nudged, named('POST /test'))
    const job = spans.find(named('job test'))
    expect(job).toMatchObject({
      kind: spanKinds.consumer,
      attributes: { 'countersign.outcome': 'done', 'countersign.attempts': 1 },
    })
    expect(job?.parentSpanId ?? '').toBe('')
    expect(job?.traceId).not.toBe(spans.find(named('POST /test'))?.traceId)
    expect(childrenOf(spans, job).map(({ name }) => name)).toContain('database transaction')
  })

  test('an announcement is not taken for work of the request that makes it', async () => {
    const { cache, db, telemetry } = app.platform
    const end = cache.subscribe('test', () => void db.transaction(async () => undefined))
    const start = { kind: 'server', name: 'POST /test', traceparent: null, attributes: {} } as const
    const spans = await spansOf(() => telemetry.traced(start, () => cache.publish('test')), named('POST /test'))
    end()
    expect(childrenOf(spans, spans.find(named('POST /test')))).toEqual([])
  })

  test('a request to another party names the host, and nothing else of the address', async () => {
    const start = { kind: 'server', name: 'POST /test', traceparent: null, attributes: {} } as const
    const ask = () => app.platform.outbound.get('https://localhost/xq-path?xq-query', { accept: '*/*' })
    const spans = await spansOf(
      () => app.platform.telemetry.traced(start, () => ask().catch(() => undefined)),
      named('POST /test'),
    )
    expect(childrenOf(spans, spans.find(named('POST /test')))).toMatchObject([
      {
        name: 'GET',
        status: { code: 2 },
        attributes: { 'http.request.method': 'GET', 'server.address': 'localhost', 'error.type': 'failed' },
      },
    ])
  })

  test('health, metrics, unknown paths and wrong methods have no span', async () => {
    const spans = await spansOf(async () => {
      for (const path of ['/healthz', '/readyz', '/metrics', '/oauth/xq-unknown', '/xq-unknown']) {
        await exchange(app.baseUrl + path)
      }
      await exchange(`${app.baseUrl}/settlement/settle`)
      await exchange(`${app.baseUrl}/oauth/jwks.json`)
    }, named('GET /oauth/jwks.json'))
    expect(spans.filter(({ kind }) => kind === spanKinds.server)).toHaveLength(1)
  })

  test('nothing of a purchase leaves but what the list allows', async () => {
    const { principalId, agent, bought, settle, ...rest } = await newBuyer(app)
    const person = await Person.signIn(app, principalId)
    const path = '/wallet/payments?xq-query=1'
    await spansOf(async () => {
      const settled = must(await settle(), 200)
      await person.call('GET', path)
      await agent.authorize('urn:xq-request')
      await agent.authorize('urn:xq-request')
      Object.assign(rest, settled)
    }, named('GET /oauth/authorize'))
    const allowed: readonly string[] = spanAttributes
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => !allowed.includes(name))).toEqual([])
    const values = collector.spans.flatMap(({ attributes, name, status }) => [
      name,
      JSON.stringify(status),
      ...Object.values(attributes),
    ])
    const text = values.join('\n')
    const personal = [principalId, agent.clientId, person.token, ...Object.values(bought), ...Object.values(rest)]
    for (const one of personal) {
      if (typeof one === 'string' && one.length > 8 && one !== 'succeeded') expect(text).not.toContain(one)
    }
    expect(text).not.toMatch(/[?@]|xq-|eyJ|Bearer|SELECT|https?:/)
  })
})

test('with TRUST_TRACEPARENT a caller continues its own trace', async () => {
  const app = await startTraced({ TRUST_TRACEPARENT: 'true' })
  const [span] = await spansOf(
    () => exchange(`${app.baseUrl}/oauth/jwks.json`, { headers: { traceparent } }),
    (one) => one.kind === spanKinds.server,
  )
  await app.close()
  expect(span).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, links: [] })
})

test('a collector that hangs makes no request and no stop wait', async () => {
  const hanging = await startCollector(null)
  const app = await startTraced({}, hanging)
  const { settle } = await newBuyer(app)
  const startedAt = performance.now()
  must(await settle(), 200)
  await app.close()
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  await hanging.close()
})

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Logger } from '@/server/base/core/platform'
import type { SpanAttributes } from '@/server/base/core/telemetry'
import { type Collector, startCollector } from '@/test/support/collector'
import { openTraces } from './traces'

const settings = { headers: { 'api-key': 'k1' }, serviceName: 'pay', ratio: 1, trustsCallers: false }
const warn = vi.fn<Logger['warn']>()
const log = { info: () => undefined, warn, error: () => undefined }

let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector.close())

const open = (changed: { url?: string; ratio?: number } = {}) =>
  openTraces({ ...settings, url: `${collector.url}/v1/traces`, ...changed }, log)

const job = (attributes: SpanAttributes = {}) => ({ kind: 'consumer', name: 'job test', attributes }) as const

test('what is left is sent on closing, with the headers and the name of the service', async () => {
  const traces = await open()
  await traces.traced(job({ 'countersign.attempts': 2 }), async (span) => span.fail())
  await traces.close()
  expect(collector.text()).toMatch(/^POST \/v1\/traces .*"api-key":"k1"/m)
  expect(collector.spans.at(-1)).toMatchObject({
    name: 'job test',
    service: 'pay',
    scope: 'countersign',
    attributes: { 'countersign.attempts': 2 },
    status: { code: 2 },
  })
})

test('attributes outside the list, messages of errors and what looks like a token do not leave', async () => {
  const traces = await open()
  const given = { 'url.full': 'https://x/?secret', 'countersign.outcome': `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(60)}.b` }
  const work = traces.traced(job(given as SpanAttributes), async (span) => {
    span.set({ 'db.query.text': 'SELECT secret', 'error.type': 'server_error' } as SpanAttributes)
    throw new Error('secret')
  })
  await expect(work).rejects.toThrow('secret')
  await traces.close()
  const { attributes, ...rest } = collector.spans.at(-1) ?? { attributes: {} }
  expect(attributes).toEqual({ 'countersign.outcome': expect.stringContaining('[cut]'), 'error.type': 'server_error' })
  expect(JSON.stringify([attributes, rest])).not.toMatch(/secret|eyJ|events":\[\{/)
})

test('work of our own is traced below a request or job alone', async () => {
  const traces = await open()
  const before = collector.spans.length
  const ask = () => traces.traced({ kind: 'client', name: 'GET', attributes: {} }, async () => 1)
  expect(await ask()).toBe(1)
  expect(await traces.traced(job(), ask)).toBe(1)
  await traces.close()
  const [one, two, ...others] = collector.spans.slice(before)
  expect([one?.name, one?.parentSpanId, two?.name, others]).toEqual(['GET', two?.spanId, 'job test', []])
})

test('the share of traces that is kept applies to whole traces', async () => {
  const traces = await open({ ratio: 0 })
  const before = collector.spans.length
  await traces.traced(job(), () => traces.traced({ kind: 'client', name: 'GET', attributes: {} }, async () => 1))
  await traces.close()
  expect(collector.spans).toHaveLength(before)
})

test('a collector that refuses is warned of once a minute, without its words and its address', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
  onTestFinished(() => void vi.unstubAllEnvs())
  const refusing = await startCollector(400)
  const traces = await open({ url: `${refusing.url}/v1/traces` })
  for (const turn of [1, 2]) {
    await traces.traced(job(), async () => 1)
    await vi.waitFor(() => expect(refusing.spans).toHaveLength(turn))
  }
  await traces.close()
  await refusing.close()
  expect(warn.mock.calls).toEqual([['traces not sent', { spans: 1 }]])
})

test('a collector that hangs holds a stop up for two seconds', async () => {
  const hanging = await startCollector(null)
  const traces = await open({ url: `${hanging.url}/v1/traces` })
  await traces.traced(job(), async () => 1)
  const startedAt = performance.now()
  await traces.close()
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  await hanging.close()
})

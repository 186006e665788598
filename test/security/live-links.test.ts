/** Decision G54: what is refused before a live link or a batch begins says so with its status, in JSON. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserAnswer } from '../support/browser'
import { openPortalFixture, type PortalFixture } from '../support/portal-fixture'

const STREAMS_MAX = 20

let fixture: PortalFixture
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  page = await fixture.openPage()
})
afterAll(() => fixture.close())

const outcome = ({ status, headers, text }: BrowserAnswer) => {
  const refusal = JSON.parse(text)
  const one = Array.isArray(refusal) ? refusal[0] : refusal
  return [status, headers.get('content-type'), one.error?.data?.error ?? one.error]
}
const json = 'application/json'

test('G54 a live link too many is 429, and the next one is taken when one of the others has ended', async () => {
  const ends = Array.from({ length: STREAMS_MAX }, () => new AbortController())
  const open = await Promise.all(ends.map(({ signal }) => page.open('/api/trpc/session.changes', { signal })))
  const readers = open.map(({ body }) => body?.getReader())
  await Promise.all(readers.map(async (reader) => (await reader?.read())?.done))
  const refused = await page.query('session.changes')
  expect(outcome(refused)).toEqual([429, json, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  for (const end of ends) end.abort()
  for (const reader of readers) await reader?.cancel().catch(() => undefined)
  const again = await page.open('/api/trpc/session.changes')
  expect([again.status, again.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await again.body?.cancel()
})

test('G54 a session with too many live links leaves the other sessions of the person theirs', async () => {
  const thief = await fixture.openPage()
  const opened = await Promise.all(
    Array.from({ length: STREAMS_MAX }, async () => {
      const { body } = await thief.open('/api/trpc/session.changes')
      const reader = body?.getReader()
      await reader?.read()
      return reader
    }),
  )
  expect(outcome(await thief.query('session.changes'))).toEqual([429, json, 'rate_limited'])
  const own = await page.open('/api/trpc/session.changes')
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await own.body?.cancel()
  for (const reader of opened) await reader?.cancel()
})

test.each([
  ['application/json', {}],
  ['lines of JSON', { 'trpc-accept': 'application/jsonl' }],
  ['a stream', { accept: 'text/event-stream' }],
])('G54 a batch of too many calls is 400 JSON for a client that wants %s', async (_what, headers) => {
  const path = `/api/trpc/${Array(11).fill('session.me').join(',')}?batch=1&input=%7B%7D`
  expect(outcome(await page.send(path, { headers }))).toEqual([400, json, 'invalid_request'])
})

test('G54 a batch with a live link in it is 400 JSON', async () => {
  const path = '/api/trpc/session.changes,session.me?batch=1&input=%7B%7D'
  expect(outcome(await page.send(path))).toEqual([400, json, 'invalid_request'])
})

test('G54 a batch of too many bytes is 413 JSON', async () => {
  const reply = await page.post('/api/trpc/agents.connect?batch=1', { 0: { name: 'x'.repeat(65 * 1024) } })
  expect(outcome(reply)).toEqual([413, json, 'body_too_large'])
})

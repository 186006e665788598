/** Decision D27: a stranger cannot use up the sign-in quota of anybody else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADDRESS_HEADER } from '@/server/base/contract/request-headers'
import type { Platform } from '@/server/base/core/platform'
import { createRateLimits } from '@/server/base/platform/rate-limits'
import { SIGN_IN_CHALLENGES_PER_MINUTE } from '@/server/identity/passkeys/contract'
import { operations } from '@/server/operations'
import { createHttpServer, createLane } from '@/server/transport/http'
import { exchange } from '../support/actors'
import { Browser, newPortalPerson } from '../support/browser'
import { type MoneyFixture, openMoneyFixture } from '../support/money-fixture'

const ADA = { id: 'ada', email: 'ada@demo.test' }
const STRANGER = '203.0.113.7'
const HOME = '198.51.100.4'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
  await newPortalPerson(fixture.platform, ADA)
})
afterAll(() => fixture.close())

/** A service whose quotas nobody has used yet. */
const fresh = (): Platform => ({ ...fixture.platform, rateLimits: createRateLimits({}) })

const askFrom = (platform: Platform, address: string, email: string) =>
  new Browser(platform).post('/api/auth/sign-in-link', { email }, { 'x-countersign-address': address })

describe('sign-in links', () => {
  test('D27 a stranger who asks for links to a mailbox does not keep its owner out', async () => {
    const platform = fresh()
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await askFrom(platform, STRANGER, ADA.email)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    expect((await askFrom(platform, HOME, ADA.email)).status).toBe(202)
  })

  test('D27 an address that asks for many mailboxes is stopped, and no other address with it', async () => {
    const platform = fresh()
    const limit = platform.config.signInLinksPerMinute
    const statuses: number[] = []
    for (let turn = 0; turn <= limit; turn += 1) {
      statuses.push((await askFrom(platform, STRANGER, `nobody-${turn}@demo.test`)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: limit }, () => 202), 429])
    expect((await askFrom(platform, HOME, ADA.email)).status).toBe(202)
  })

  test('D27 all addresses together are slowed for seconds, and not below fifty times what one may ask', async () => {
    const platform: Platform = { ...fresh(), config: { ...fixture.platform.config, signInLinksPerMinute: 2 } }
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, index) => askFrom(platform, `192.0.2.${index}`, `nobody-${index}@demo.test`)),
    )
    const refused = replies.filter(({ status }) => status === 429)
    expect([replies.filter(({ status }) => status === 202).length, refused.length]).toEqual([10, 4])
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(6)
  })

  test('D27 tries that are refused while many sign in use up none of the links to a mailbox', async () => {
    const platform = fresh()
    const flooded: Platform = { ...platform, config: { ...platform.config, signInLinksPerMinute: 6 } }
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => askFrom(flooded, `192.0.2.${index % 5}`, `nobody-${index}@demo.test`)),
    )
    const tries = await Promise.all(Array.from({ length: 6 }, () => askFrom(flooded, HOME, ADA.email)))
    for (const { status, headers } of tries) {
      expect([status, Number(headers.get('retry-after')) <= 6]).toEqual([429, true])
    }
    // A larger quota is counted for itself, and so the flood is over.
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await askFrom(platform, HOME, ADA.email)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })
})

test('D27 an address that asks for many passkey challenges is stopped alone', async () => {
  const platform = fresh()
  const ask = (address: string) =>
    new Browser(platform).post('/api/auth/passkey-options', {}, { 'x-countersign-address': address })
  const statuses = (
    await Promise.all(Array.from({ length: SIGN_IN_CHALLENGES_PER_MINUTE + 2 }, () => ask(STRANGER)))
  ).map(({ status }) => status)
  expect([
    statuses.filter((status) => status === 200).length,
    statuses.filter((status) => status === 429).length,
  ]).toEqual([SIGN_IN_CHALLENGES_PER_MINUTE, 2])
  expect((await ask(HOME)).status).toBe(200)
})

/** A server behind one proxy, and the address by which it counts a request that has these headers. */
async function openServer() {
  const platform: Platform = { ...fixture.platform, config: { ...fixture.platform.config, trustedProxies: 1 } }
  const server = createHttpServer({
    platform,
    lane: createLane({ operations, platform, mode: 'next' }),
    fallback: async ({ headers }, response) => void response.end(headers[ADDRESS_HEADER]),
  })
  const baseUrl = `http://127.0.0.1:${await server.listen(0)}/api/auth/sign-in-link`
  const counted = async (headers: Record<string, string>) =>
    (await exchange(baseUrl, { method: 'POST', headers: { 'x-countersign-address': '192.0.2.9', ...headers } })).text
  return { counted, stop: () => server.stop(0) }
}

test('D27 the address that counts is that of the connection or of the proxy, and never what a stranger sends', async () => {
  const { counted, stop } = await openServer()
  expect(await counted({})).toBe('127.0.0.1')
  expect(await counted({ 'x-forwarded-for': STRANGER })).toBe(STRANGER)
  expect(await counted({ 'x-forwarded-for': `${STRANGER}, ${HOME}` })).toBe(HOME)
  await stop()
})

test('D27 the addresses of one IPv6 network count as one, and those of another for themselves', async () => {
  const platform = fresh()
  const { counted, stop } = await openServer()
  const askThrough = async (address: string) =>
    (await askFrom(platform, await counted({ 'x-forwarded-for': address }), ADA.email)).status
  const statuses: number[] = []
  for (let host = 1; host <= 6; host += 1) statuses.push(await askThrough(`2001:db8:0:7::${host}`))
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  expect(await askThrough('2001:db8:0:8::1')).toBe(202)
  await stop()
})

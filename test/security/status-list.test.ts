/** Decision G57: the status list never fills for good, and a full one costs nobody a code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { keepStatusPlaces, MANDATE_PLACES } from '@/server/oauth/mandates'
import { findStatusListVersion } from '@/server/oauth/mandates/store'
import { readyAgent } from '../oauth/setup'
import { askAboutToken } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const query = <Row>(statement: ReturnType<typeof sql>) => app.platform.db.query<Row>(statement)
const usePlaces = (count: number) => query(sql`UPDATE status_lists SET places_used = ${count}`)
const placesOf = async (mandateId: string) =>
  (await query<{ status_index: number | null }>(sql`SELECT status_index FROM mandates WHERE id = ${mandateId}`))[0]
    ?.status_index

async function newCode() {
  const agent = await readyAgent(app)
  const { form, verifier } = await agent.purchase()
  const { result } = await agent.authorize((await agent.push(form)).json.request_uri)
  return { agent, verifier, code: result['code'] ?? '' }
}

describe('a full status list', () => {
  test('G57 a pushed request for a payment is 503 with Retry-After', async () => {
    const agent = await readyAgent(app)
    const { form } = await agent.purchase()
    await usePlaces(MANDATE_PLACES)
    const refused = await agent.push(form)
    expect([refused.status, (refused.json as { error?: string }).error]).toEqual([503, 'service_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await usePlaces(0)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
  })

  test('G57 a token request that finds no free place is 503 and leaves the code usable', async () => {
    const [first, second] = [await newCode(), await newCode()]
    const { random } = app.platform
    const { bytes } = random
    // Every place that is drawn is the same one.
    random.bytes = (length) => (length === 64 ? Buffer.alloc(64) : bytes(length))
    try {
      expect((await first.agent.redeem(first.code, first.verifier)).status).toBe(200)
      const refused = await second.agent.redeem(second.code, second.verifier)
      expect([refused.status, (refused.json as { error?: string }).error]).toEqual([503, 'service_unavailable'])
      expect(refused.headers.get('retry-after')).toBe('60')
    } finally {
      random.bytes = bytes
    }
    expect((await second.agent.redeem(second.code, second.verifier)).status).toBe(200)
  })
})

describe('places of the status list', () => {
  test('G57 a place is given back an hour after the end of its mandate', async () => {
    const { agent, code, verifier } = await newCode()
    const { mandate_id: id, access_token: token } = (await agent.redeem(code, verifier)).json
    expect((await askAboutToken(app, 'revoke', agent, { token })).status).toBe(200)
    const version = await findStatusListVersion(app.platform.db, '1')
    await keepStatusPlaces(app.platform)
    expect(await placesOf(id)).toEqual(expect.any(Number))
    app.clock.advance({ seconds: 300 + 3_599 })
    await keepStatusPlaces(app.platform)
    expect(await placesOf(id)).toEqual(expect.any(Number))
    app.clock.advance({ seconds: 2 })
    await keepStatusPlaces(app.platform)
    expect(await placesOf(id)).toBeNull()
    expect(await findStatusListVersion(app.platform.db, '1'), 'the mark of the revoked one is gone').toBe(version + 1)
  })

  test('G57 an alert is logged while less than a tenth is free', async () => {
    const alerts: string[] = []
    const log = { ...app.platform.log, error: (message: string) => void alerts.push(message) }
    const count = (rows: number) => ({
      ...app.platform,
      log,
      db: { ...app.platform.db, query: async () => [{ places_used: rows }] as never },
    })
    await keepStatusPlaces(count(MANDATE_PLACES * 0.9 - 1))
    expect(alerts).toEqual([])
    await keepStatusPlaces(count(Math.ceil(MANDATE_PLACES * 0.9) + 1))
    expect(alerts).toEqual(['the status list is nearly full'])
  })
})

/** Answers of the token endpoint that get lost: the same request gets them again, and nobody is asked or charged twice. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { begin, expectPaidOnce, type HostileWorld, openHostileWorld, orderOf, PAY, wordy } from './hostile'
import type { Answering } from './listener'
import type { Relayed } from './relay'

let world: HostileWorld
beforeAll(async () => {
  world = await openHostileWorld()
})
beforeEach(() => begin(world))
afterAll(() => world.close())

const TOKEN = '/oauth/token'
const order = () => orderOf(world, 'merchant_base_api')
const pay = () => world.host.call(PAY, order())

/** How many mandates there are over the price of this test. */
async function countMandates({ app, price }: HostileWorld): Promise<number> {
  return (await app.platform.db.query(sql`SELECT 1 FROM mandates WHERE amount_minor = ${price}`)).length
}

/** The authorization server gets what is sent to this path; what becomes of its answer the test decides. */
function answerAt(url: string, answer: (told: Relayed) => Answering): void {
  world.relay.spoil = (request) =>
    request.url !== url ? null : async (...exchange) => answer(await world.relay.ask(request, exchange[2]))(...exchange)
}

const lost: Answering = (_request, response) => response.destroy()

test('the answer to a code is got again by the identical call, and nobody is asked for another', async () => {
  answerAt(TOKEN, () => lost)
  expect((await pay()).texts[0]).toBe(`${PAY} failed: token failed: fetch failed`)
  expect(await countMandates(world)).toBe(1)
  await expectPaidOnce(world, order())
  expect(await countMandates(world)).toBe(1)
})

describe('an order whose access has ended before it was settled', () => {
  beforeEach(async () => {
    world.relay.spoil = ({ url }) => (url === '/settlement/settle' ? wordy(503, 'service_unavailable') : null)
    await pay()
    await endAccess(world.host.home)
  })

  test('gets the answer to a refresh again, and is settled once', async () => {
    answerAt(TOKEN, () => lost)
    for (const _again of [1, 2]) expect((await pay()).texts[0]).toBe(`${PAY} failed: token failed: fetch failed`)
    await expectPaidOnce(world, order())
    expect(await countMandates(world)).toBe(1)
  })

  test('keeps the answer to a refresh that comes after the call was cancelled', async () => {
    const cancelled = new AbortController()
    answerAt(TOKEN, ({ status, headers, body }) => async (_request, response) => {
      if (status === 200) cancelled.abort()
      // It answers in turn, so that it has taken note of the end of the call by now.
      await world.host.list()
      response.writeHead(status, headers).end(body)
    })
    const call = world.host.call(PAY, order(), { signal: cancelled.signal }).catch(() => 'no answer')
    expect(await call).toBe('no answer')
    // The next call waits for the end of this one.
    const before = world.relay.asked.length
    await expectPaidOnce(world, order())
    expect(world.relay.asked.slice(before)).not.toContain(`POST ${TOKEN}`)
  })
})

/** As if the access token of the one order that waits had ended. */
async function endAccess(home: string): Promise<void> {
  const directory = path.join(home, 'pending')
  for (const name of await readdir(directory)) {
    const record = JSON.parse(await readFile(path.join(directory, name), 'utf8'))
    if (record.stage !== 'ordered') continue
    const grant = { ...record.grant, access_expires_at: 0 }
    await writeFile(path.join(directory, name), JSON.stringify({ ...record, grant }))
  }
}

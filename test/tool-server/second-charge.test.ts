/** A merchant that has charged, or may have, and answers with something else: whatever it says next, it charges once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  begin,
  countCharges,
  expectPaidOnce,
  type HostileWorld,
  openHostileWorld,
  orderOf,
  PAY,
  unusable,
  WORDS,
  wordy,
} from './hostile'
import type { Answering } from './listener'

let world: HostileWorld
beforeAll(async () => {
  world = await openHostileWorld()
})
beforeEach(() => begin(world))
afterAll(() => world.close())

const nothing = unusable('nothing at all')
const order = () => orderOf(world, 'merchant_verify_url')

async function pay(path: string, answer: Answering) {
  world.spoilt = { path, answer }
  const { isError, texts } = await world.host.call(PAY, order())
  expect(isError).toBe(true)
  expect(texts.join('\n')).not.toMatch(WORDS)
  return texts
}

const refusals = [
  ['/nonce', 403, undefined],
  ['/nonce', 404, 'not_found'],
  ['/verify', 403, 'forbidden'],
  ['/verify', 404, undefined],
  ['/verify', 422, 'mandate_expired'],
  ['/verify', 402, 'payment_declined'],
  ['/verify', 409, 'mandate_consumed'],
] as const

test.each(refusals)(
  'F2, B9 a charge whose answer is lost is not repeated when %s then refuses with %i %s: the outcome stays unknown',
  async (path, status, code) => {
    const lost = await pay('/verify', nothing)
    expect(lost[0]).toBe(`${PAY} failed: verify-mandate failed: fetch failed`)
    for (const _again of [1, 2]) {
      const refused = await pay(path, wordy(status, code))
      const detail = code === undefined ? `${status}` : `${status} ${code}`
      expect(refused[0]).toBe(`${PAY} failed: verify-mandate failed: ${detail}`)
      expect(refused[1]).toMatch(/the card may have been charged.+never charges twice/)
    }
    expect(await countCharges(world)).toBe(1)
    await expectPaidOnce(world, order())
  },
)

test('F2 one refusal after another leaves the purchase where it is', async () => {
  await pay('/verify', nothing)
  for (const [path, status, code] of refusals) await pay(path, wordy(status, code))
  await expectPaidOnce(world, order())
})

test('F2 a merchant that refuses after a challenge of the bank leaves the purchase where it is', async () => {
  world.spoilt = { path: '/verify', answer: wordy(403, 'step_up_required'), isInstead: true }
  const asked = await world.host.call(PAY, order())
  expect(asked.texts[0]).toBe(`${PAY} failed: verify-mandate failed: 403 step_up_required`)
  world.spoilt = { path: '/verify', answer: wordy(403, 'forbidden'), isInstead: true }
  const refused = await world.host.call(PAY, order())
  expect(refused.texts[0]).toBe(`${PAY} failed: verify-mandate failed: 403 forbidden`)
  expect(refused.texts[1]).toMatch(/^The bank had asked the user.+never charges twice\.$/)
  const before = world.relay.asked.length
  await expectPaidOnce(world, order())
  expect(world.relay.asked.slice(before)).not.toContain('POST /oauth/par')
})

test('F2 a nonce that is refused before anything was presented keeps the approval', async () => {
  const asked = () => world.relay.asked.filter((line) => line.startsWith('GET /oauth/authorize?')).length
  const before = asked()
  for (const route of ['merchant_verify_url', 'merchant_base_api'] as const) {
    begin(world)
    world.spoilt = { path: route === 'merchant_verify_url' ? '/nonce' : '/api/nonce', answer: wordy(403) }
    const { texts } = await world.host.call(PAY, orderOf(world, route))
    expect(texts[0]).toBe(`${PAY} failed: verify-mandate failed: 403`)
    await expectPaidOnce(world, orderOf(world, route))
  }
  expect(asked() - before).toBe(2)
})

test('F2 a refusal of the first attempt ends the purchase, and the same call begins another', async () => {
  world.spoilt = { path: '/verify', answer: wordy(422, 'mandate_expired'), isInstead: true }
  const { texts } = await world.host.call(PAY, order())
  expect(texts[0]).toBe(`${PAY} failed: verify-mandate failed: 422 mandate_expired`)
  const asked = world.relay.asked.length
  await expectPaidOnce(world, order())
  expect(world.relay.asked.slice(asked)).toContain('POST /oauth/par')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { useChannels } from '@/test/support/channels-in-use'
import { MERCHANT, type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { readMessages } from '../../shared/notifications'
import { applyDispute, type DisputeStatus } from '.'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

let people = 0

/** Creates a person who has paid; returns them with a function that reads the messages about the dispute. */
async function whoPaid({ email = `dispute-${++people}@example.com` as string | null, rcs = false } = {}) {
  const person = await money.person({ email })
  const phone = `+35385${String(7_000_000 + ++people)}`
  if (rcs) {
    await useChannels(money.platform, person.principalId, { rcs_enabled: true, rcs_phone_e164: phone })
  }
  const answer = await money.settle(await money.mandate(person, { amountMinor: 1_250 }))
  const { payment_intent_id: id } = JSON.parse(answer.body) as { payment_intent_id: string }
  const told = async () => {
    const all = await readMessages(money.platform, 1_000)
    return all.filter(({ to, text }) => (to === email || to === phone) && text.includes('dispute')).toReversed()
  }
  const move = (status: DisputeStatus) =>
    money.platform.db.transaction((tx) =>
      applyDispute(tx, { paymentIntentId: id, status, platform: money.platform, now: money.clock.now() }),
    )
  return { person, id, told, move }
}

test('the person is notified once of each step of a dispute, however often its event comes', async () => {
  const { id, told, move } = await whoPaid()
  for (const status of ['pending', 'pending', 'won', 'pending', 'lost', 'won'] as const) {
    await move(status)
    money.clock.advance(60)
  }
  const link = `${money.platform.config.baseUrl}/payments/${id}`
  expect((await told()).map(({ subject, links }) => [subject, links])).toEqual([
    ['Your payment of 12.50 EUR to Tallow Books is disputed', [link]],
    ['The dispute about 12.50 EUR to Tallow Books is over: the payment stands', [link]],
  ])
})

test('a dispute’s result that comes first is notified with the step before it, by every chosen channel', async () => {
  const { told, move } = await whoPaid({ rcs: true })
  await move('lost')
  const messages = await told()
  expect(messages.map(({ channel }) => channel).toSorted()).toEqual(['email', 'email', 'rcs', 'rcs'])
  const results = messages.filter(({ text }) => text.includes('returns the money'))
  expect(results.map(({ channel }) => channel).toSorted()).toEqual(['email', 'rcs'])
})

test('a person who has no address or was erased is not notified, and the dispute still moves', async () => {
  const nowhere = await whoPaid({ email: null })
  expect(await nowhere.move('pending')).toBe(true)
  const erased = await whoPaid()
  await money.platform.db.query(sql`UPDATE principals SET erased = true WHERE id = ${erased.person.principalId}`)
  expect(await erased.move('pending')).toBe(true)
  expect([...(await nowhere.told()), ...(await erased.told())]).toEqual([])
})

test('a merchant that is not in the directory is called by its host', async () => {
  const { told, move } = await whoPaid()
  await money.platform.db.query(
    sql`UPDATE merchants SET merchant_audience = ${'https://x.example'} WHERE id = ${'tallow'}`,
  )
  await move('pending')
  await money.platform.db.query(sql`UPDATE merchants SET merchant_audience = ${MERCHANT} WHERE id = ${'tallow'}`)
  expect((await told())[0]?.subject).toContain(`12.50 EUR to ${new URL(MERCHANT).host} `)
})

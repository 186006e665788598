/** Decision E34 under load: a freeze between settlements that are all on their way. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceError } from '@/server/base/core/errors'
import { sql } from '@/server/base/core/sql'
import { freezeSpending } from '@/server/surfaces/agents'
import { type MoneyFixture, openMoneyFixture } from '../support/money-fixture'

const IN_FLIGHT = 50
/** So many are sent before the press, the others with it. */
const EARLY = 10
/** So long the processor takes for each charge. */
const CHARGE_MS = 100

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

/** A platform whose processor takes its time, when it began to charge, and when each charge was made. */
function slowProcessor() {
  const charged: number[] = []
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const platform = money.withProcessor({
    confirmPaymentIntent: async (...request) => {
      begin()
      await delay(CHARGE_MS)
      const outcome = await money.sandbox.confirmPaymentIntent(...request)
      charged.push(performance.now())
      return outcome
    },
  })
  return { platform, charged, begun }
}

test('E34 each of 50 settlements in flight is charged before the press is answered, or refused', async () => {
  const person = await money.person()
  const agents = [person.agentId, await money.agent(person.principalId)]
  const mandates = await Promise.all(
    Array.from({ length: IN_FLIGHT }, (_, order) =>
      money.mandate(person, { amountMinor: 100, agentId: agents[order % 2] ?? person.agentId }),
    ),
  )
  const { platform, charged, begun } = slowProcessor()
  const settle = (mandate: (typeof mandates)[number]) =>
    money.settle(mandate, {}, platform).then(
      ({ status }) => status,
      ({ status, message }: ServiceError) => `${status} ${message}`,
    )
  const early = mandates.slice(0, EARLY).map(settle)
  await begun
  const pressed = freezeSpending.verb(money.wallet(person, platform))
  const settling = [...early, ...mandates.slice(EARLY).map(settle)]
  await pressed
  const answeredAt = performance.now()
  const answers = await Promise.all(settling)
  expect(new Set(answers)).toEqual(new Set([200, '403 Spending is frozen.']))
  expect(charged).toHaveLength(answers.filter((answer) => answer === 200).length)
  expect(charged.filter((at) => at > answeredAt)).toEqual([])
  const told = sql`principal_id = ${person.principalId} AND event_key NOT LIKE 'payment:%'`
  expect(await money.count('messages', told)).toBe(0)
})

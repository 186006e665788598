/** Decision E34 under load: a freeze between settlements that are all on their way. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariant } from '@/server/base/core/invariant'
import { sql } from '@/server/base/core/sql'
import { Agent, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

const IN_FLIGHT = 50
const AMOUNT = 100
/** Fifty purchases take their time. */
const PATIENCE_MS = 120_000

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** When each charge was made, as the processor answered. */
function watchCharges(): number[] {
  const charged: number[] = []
  const { processor } = app.platform
  const confirm = processor.confirmPaymentIntent.bind(processor)
  processor.confirmPaymentIntent = async (...request) => {
    const outcome = await confirm(...request)
    charged.push(performance.now())
    return outcome
  }
  return charged
}

/** What the person was told about, but payments that were made. */
const tellings = async (principalId: string) => {
  const rows = await app.platform.db.query<{ event_key: string | null }>(
    sql`SELECT event_key FROM messages WHERE principal_id = ${principalId} AND event_key NOT LIKE 'payment:%'`,
  )
  return rows.map(({ event_key: key }) => key)
}

test(
  'E34 each of 50 settlements in flight is charged before the press is answered or refused',
  async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const agents = await Promise.all(Array.from({ length: 5 }, () => Agent.register(app, principalId)))
    const person = await Person.signIn(app, principalId)
    const buy = async (order: number) => {
      const agent = agents[order % agents.length]
      invariant(agent !== undefined, 'every order has an agent')
      return { agent, tokens: await agent.buy({ amount_minor: AMOUNT }) }
    }
    const orders = await Promise.all(Array.from({ length: IN_FLIGHT }, (_, order) => buy(order)))
    const before = await tellings(principalId)
    const charged = watchCharges()
    const settling = orders.map(({ agent, tokens }, order) =>
      agent.settle(tokens.access_token, tokens.mandate_jwt, `order-${order}`),
    )
    // Some are through by then, and some are not.
    await Promise.race(settling)
    expect((await person.call('POST', '/wallet/freeze')).status).toBe(200)
    const answeredAt = performance.now()
    const answers = await Promise.all(settling)
    const paid = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(paid.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, json } of refused) {
      expect([status, json]).toMatchObject([403, { error_description: 'Spending is frozen.' }])
    }
    expect(charged).toHaveLength(paid.length)
    expect(charged.filter((at) => at > answeredAt)).toEqual([])
    expect(await tellings(principalId)).toEqual(before)
  },
  PATIENCE_MS,
)

import { expect } from '@playwright/test'
import { Agent, type Target } from '@/test/support/actors'

interface Bought {
  readonly agent: Agent
  readonly paymentId: string
}

/** A purchase that the person's rules let through, as an agent makes it: €12.00 at Tallow Books, for one book or this item. */
export async function buy(target: Target, principalId: string, known?: Agent, title?: string): Promise<Bought> {
  const agent = known ?? (await Agent.register(target, principalId))
  const { access_token: token, mandate_jwt: mandate } = await agent.buy(
    title === undefined ? {} : { line_items: [{ sku: 'one', title, qty: 1, unit_price_minor: 1200 }] },
  )
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  expect(settled.status).toBe(200)
  return { agent, paymentId: settled.json.payment_intent_id }
}

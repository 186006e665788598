import { expect } from '@playwright/test'
import { Agent, type Target } from '@/test/support/actors'

interface Bought {
  readonly agent: Agent
  readonly paymentId: string
}

/** A purchase that the person's rules let through, as an agent makes it: €12.00 at Tallow Books. */
export async function buy(target: Target, principalId: string, known?: Agent): Promise<Bought> {
  const agent = known ?? (await Agent.register(target, principalId))
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  expect(settled.status).toBe(200)
  return { agent, paymentId: settled.json.payment_intent_id }
}

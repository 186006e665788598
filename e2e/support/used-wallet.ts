import type { Page } from '@playwright/test'
import { Agent, must, newPrincipal, Person, type Target } from '@/test/support/actors'
import { WALLET_PAGES } from './portal'
import { signIn } from './sign-in'

/**
 * Signs in a person who has paid once and whose approval an agent waits for. Returns the addresses of all their pages.
 */
export async function openUsedWallet(page: Page, target: Target): Promise<string[]> {
  const { principalId, email } = await newPrincipal(target, {
    card: 'success',
    approval_rule: 'above_limits',
    limits: { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 3_000 },
  })
  await signIn(page, target, email)
  const agent = await Agent.register(target, principalId, { client_name: 'Research and travel helper' })
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = must(await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID()), 200)
  must(await agent.push((await agent.purchase({ amount_minor: 3_100 })).form), 201)
  const [asked] = await (await Person.signIn(target, principalId)).pending()
  return [
    ...WALLET_PAGES,
    `/approve/${String(asked?.['authorization_id'])}`,
    `/agents/${agent.clientId}`,
    `/payments/${settled.payment_intent_id}`,
  ]
}

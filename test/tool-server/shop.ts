import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { newPrincipal, newSetupToken, Person, REDIRECT_URI, type Target } from '../support/actors'
import type { TestHost } from './hosts'

/** A person who approves each purchase, and a state directory for the agent that buys for them. */
export interface Household {
  readonly principalId: string
  readonly person: Person
  readonly home: string
}

export async function newHousehold(target: Target): Promise<Household> {
  const { principalId } = await newPrincipal(target, { approval_rule: 'every_purchase' })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-host-'))
  return { principalId, person: await Person.signIn(target, principalId), home: path.join(folder, 'home') }
}

/** Answers what the person is asked, as they would on the approval page. */
export async function decideAll({ person }: Household, decision: 'approve' | 'decline'): Promise<void> {
  for (const { authorization_id: id } of await person.pending()) await person.decide(id, decision)
}

/** Registers the agent through its own tool. */
export async function register(host: TestHost, target: Target, { principalId }: Household): Promise<void> {
  const args = {
    setup_token: await newSetupToken(target, principalId),
    as_url: target.baseUrl,
    redirect_uris: [REDIRECT_URI],
  }
  const { isError, texts } = await host.call({ name: 'agent_register', args })
  if (isError) throw new Error(texts.join('\n'))
}

/** The arguments for one book of Tallow Books, the `index`th of its catalog. */
export async function orderBook(host: TestHost, index = 0): Promise<Record<string, unknown>> {
  const { data, texts } = await host.call({ name: 'agent_browse_merchant', args: { merchant_id: 'tallow-books' } })
  const { merchant, items } = data as { merchant: string; items: readonly Record<string, string | number>[] }
  const item = items?.[index]
  if (item === undefined) throw new Error(texts.join('\n'))
  const { sku, unit_price_minor, currency, offer_id, offer_digest } = item
  return {
    merchant_url: merchant,
    merchant_base_api: merchant,
    amount: { currency, amount_minor: unit_price_minor },
    line_items: [{ sku, qty: 1, unit_price_minor, currency }],
    offer_id,
    offer_digest,
    redirect_uri: REDIRECT_URI,
  }
}

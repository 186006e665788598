import type { ToolAgent } from './tool-agent'

const MERCHANT_ID = 'tallow-books'

/** The arguments of `agent_payment_initiate`. */
export interface Order {
  readonly merchant_url: string
  readonly merchant_base_api: string
  readonly amount: { readonly currency: string; readonly amount_minor: number }
  readonly line_items: readonly Record<string, unknown>[]
  readonly offer_id: string
  readonly offer_digest: string
  readonly consent_poll_timeout_seconds?: number
}

interface Item {
  readonly sku: string
  readonly title: string
  readonly unit_price_minor: number
  readonly currency: string
  readonly offer_id: string
  readonly offer_digest: string
}

export const LEFT_HAND = 'The Left Hand of Darkness'

/** Finds a book at Tallow Books as an agent does, and returns an order for it. */
export function orderBook(agent: ToolAgent, title = LEFT_HAND, quantity = 1): Promise<Order> {
  return orderAt(agent, { merchantId: MERCHANT_ID, title, quantity })
}

interface Wanted {
  readonly merchantId: string
  readonly title: string
  readonly quantity: number
}

/** Finds an article in a merchant's catalog as an agent does, and returns an order for it. */
export async function orderAt(agent: ToolAgent, { merchantId, title, quantity }: Wanted): Promise<Order> {
  const answer = await agent.call('agent_browse_merchant', { merchant_id: merchantId })
  if (answer.isError) throw new Error(answer.text)
  const { merchant, items } = answer.data as { merchant: string; items: readonly Item[] }
  const item = items.find((candidate) => candidate.title === title)
  if (item === undefined) throw new Error(`${merchantId} does not sell ${title}`)
  const { sku, unit_price_minor, currency, offer_id, offer_digest } = item
  return {
    merchant_url: merchant,
    merchant_base_api: merchant,
    amount: { currency, amount_minor: unit_price_minor * quantity },
    line_items: [{ sku, qty: quantity, unit_price_minor, currency }],
    offer_id,
    offer_digest,
  }
}

import type { ConsentView } from '@/components/lib/api-types'

type Item = NonNullable<ConsentView['line_items']>[number]
type CurrentPurchase = Pick<ConsentView, 'amount_minor' | 'currency' | 'line_items' | 'agent' | 'last_purchase'>

/**
 * How an item differs from the last purchase. `qty` and `priceMinor` are those of that purchase, null where unchanged.
 */
export type ItemChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly qty: number | null; readonly priceMinor: number | null }

export interface Differences {
  /** In minor units, below zero when it costs less; null when it was another currency. */
  readonly amountMinor: number | null
  /** Beside the items that are asked for, in their order. */
  readonly items: readonly ItemChange[]
  /** What was bought then and is not asked for now. */
  readonly gone: readonly Item[]
  /** The agent that bought then, when it was another one. */
  readonly otherAgent: string | null
  /** Nothing at all differs. */
  readonly same: boolean
}

/** What differs from the purchase before at the same merchant; null when there was none. */
export function differencesOf(asked: CurrentPurchase): Differences | null {
  const { last_purchase: last, line_items: items = [], amount_minor: minor = 0 } = asked
  if (last === null) return null
  const amountMinor = last.currency === asked.currency ? minor - last.amount_minor : null
  const otherAgent = last.agent.client_id === asked.agent.client_id ? null : last.agent.label
  const compared = compareItems(items, last.items, amountMinor !== null)
  const isSame = compared.gone.length === 0 && compared.items.every(({ kind }) => kind === 'same')
  return { amountMinor, otherAgent, ...compared, same: amountMinor === 0 && otherAgent === null && isSame }
}

/** Each item then stands for one now: two lines of the same article are two items. */
function compareItems(
  items: readonly Item[],
  before: readonly Item[] | null,
  inOneCurrency: boolean,
): Pick<Differences, 'items' | 'gone'> {
  if (before === null) return { items: items.map(() => ({ kind: 'same' })), gone: [] }
  const left = [...before]
  const changes = items.map((item): ItemChange => {
    const at = left.findIndex(({ sku }) => sku === item.sku)
    const [then] = at === -1 ? [] : left.splice(at, 1)
    return then === undefined ? { kind: 'new' } : compareItem(item, then, inOneCurrency)
  })
  return { items: changes, gone: left }
}

/** Prices are compared in one currency alone. */
function compareItem(item: Item, then: Item, inOneCurrency: boolean): ItemChange {
  const qty = item.qty === then.qty ? null : then.qty
  const isKnown = inOneCurrency && item.unit_price_minor !== undefined && then.unit_price_minor !== undefined
  const priceMinor = isKnown && item.unit_price_minor !== then.unit_price_minor ? (then.unit_price_minor ?? null) : null
  return qty === null && priceMinor === null ? { kind: 'same' } : { kind: 'changed', qty, priceMinor }
}

import type { ConsentView } from '@/components/lib/api-types'

type Item = NonNullable<ConsentView['line_items']>[number]
type CurrentPurchase = Pick<ConsentView, 'amount_minor' | 'currency' | 'line_items' | 'agent' | 'last_purchase'>

/**
 * How an item differs from the last purchase. `qty` and `priceMinor` are the values of that purchase, null where
 * unchanged.
 */
export type ItemChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly qty: number | null; readonly priceMinor: number | null }

export interface Differences {
  /**
   * The difference in minor units, below zero when it costs less; null when the last purchase was in another currency.
   */
  readonly amountMinor: number | null
  /** The change of each requested item, in the order of the items. */
  readonly items: readonly ItemChange[]
  /** The items of the last purchase that are not requested now. */
  readonly gone: readonly Item[]
  /** The agent of the last purchase, when it was another one; else null. */
  readonly otherAgent: string | null
  /** Whether nothing differs. */
  readonly same: boolean
}

/** Returns how the purchase differs from the last one at the same merchant; null when there was none. */
export function differencesOf(asked: CurrentPurchase): Differences | null {
  const { last_purchase: last, line_items: items = [], amount_minor: minor = 0 } = asked
  if (last === null) return null
  const amountMinor = last.currency === asked.currency ? minor - last.amount_minor : null
  const otherAgent = last.agent.client_id === asked.agent.client_id ? null : last.agent.label
  const compared = compareItems(items, last.items, amountMinor !== null)
  const isSame = compared.gone.length === 0 && compared.items.every(({ kind }) => kind === 'same')
  return { amountMinor, otherAgent, ...compared, same: amountMinor === 0 && otherAgent === null && isSame }
}

/** Compares the items one to one: two lines of the same article are two items. */
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

/** Compares two items; prices only where both have the same currency. */
function compareItem(item: Item, then: Item, inOneCurrency: boolean): ItemChange {
  const qty = item.qty === then.qty ? null : then.qty
  const isKnown = inOneCurrency && item.unit_price_minor !== undefined && then.unit_price_minor !== undefined
  const priceMinor = isKnown && item.unit_price_minor !== then.unit_price_minor ? (then.unit_price_minor ?? null) : null
  return qty === null && priceMinor === null ? { kind: 'same' } : { kind: 'changed', qty, priceMinor }
}

import type { CatalogItem } from './wire.js'

/** The wanted item's properties. */
export interface ItemWish {
  readonly currency: string
  /** Minor units. */
  readonly maxAmountMinor: number
  readonly category: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly shipsToCountry: string | undefined
}

/**
 * Returns the cheapest item in stock that matches; among equal prices the one with the smaller sku. Undefined when
 * there is none.
 */
export function chooseCheapest(items: readonly CatalogItem[], wish: ItemWish): CatalogItem | undefined {
  return items
    .filter((item) => matches(item, wish))
    .toSorted((a, b) => a.unit_price_minor - b.unit_price_minor || compare(a.sku, b.sku))[0]
}

function matches(item: CatalogItem, { currency, maxAmountMinor, category, shipsToCountry }: ItemWish): boolean {
  const isAffordable = item.unit_price_minor >= 1 && item.unit_price_minor <= maxAmountMinor
  const isOfCategory = category === undefined || item.category?.toLowerCase() === category.toLowerCase()
  const isShipped = shipsToCountry === undefined || (item.ships_to ?? []).includes(shipsToCountry)
  return item.in_stock && item.currency === currency && isAffordable && isOfCategory && isShipped
}

/** Compares by code units, independent of this machine's language. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

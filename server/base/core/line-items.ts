/** The part of a line item that the total of a purchase depends on; prices in minor units. */
interface PricedItem {
  readonly qty: number
  readonly unit_price_minor?: number | undefined
  readonly currency?: string | undefined
}

/**
 * Whether line items agree with the amount of their purchase, in minor units of `currency`. Items that all have a price
 * must add up to the amount exactly; where a price is missing, the others must not add up to more. An item that names
 * a currency must name that of the purchase.
 */
export function itemsMatchAmount(
  items: readonly PricedItem[],
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: string },
): boolean {
  if (items.some((item) => item.currency !== undefined && item.currency !== currency)) return false
  const prices = items.flatMap(({ qty, unit_price_minor: price }) =>
    price === undefined ? [] : [BigInt(qty) * BigInt(price)],
  )
  const total = prices.reduce((sum, price) => sum + price, 0n)
  return prices.length === items.length ? total === BigInt(amountMinor) : total <= BigInt(amountMinor)
}

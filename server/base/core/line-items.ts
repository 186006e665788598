/** The part of a line item that the total of a purchase depends on; prices in minor units. */
interface PricedItem {
  readonly qty: number
  readonly unit_price_minor?: number | undefined
  readonly currency?: string | undefined
}

/**
 * Whether line items agree with the amount of their purchase, in minor units of `currency`: their prices must not add up
 * to more, and an item that names a currency must name that of the purchase. What the amount holds beyond them may be
 * shipping or an item without a price.
 */
export function itemsMatchAmount(
  items: readonly PricedItem[],
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: string },
): boolean {
  if (items.some((item) => item.currency !== undefined && item.currency !== currency)) return false
  const total = items.reduce((sum, { qty, unit_price_minor: price = 0 }) => sum + BigInt(qty) * BigInt(price), 0n)
  return total <= BigInt(amountMinor)
}

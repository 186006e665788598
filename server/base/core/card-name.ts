const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Returns the name of a card for people, such as "Visa •••• 4242"; without the brand when the processor names none. */
export function cardName({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  const number = `•••• ${last4}`
  return brand === 'unknown' ? number : `${brands[brand.toLowerCase()] ?? brand} ${number}`
}

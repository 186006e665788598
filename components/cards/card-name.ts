const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** A card's number as cards show it, in groups of four. */
export function groupedNumber(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/** A card as its holder knows it, for instance "Visa •••• 4242". */
export function cardName({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  return `${brands[brand.toLowerCase()] ?? brand} •••• ${last4}`
}

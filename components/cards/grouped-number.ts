/** A card's number as cards show it, in groups of four. */
export function groupedNumber(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

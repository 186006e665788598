/** Returns a card's number in groups of four digits. */
export function groupedNumber(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

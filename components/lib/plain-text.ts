/** Controls that hide or reorder what a reader sees; nothing that a stranger wrote may hold them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

const NAME_MAX = 80

/** Text that somebody else wrote: one paragraph without tricks, and no longer than `max` characters. */
export function plainText(text: string, max: number): string {
  const characters = Array.from(text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim())
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('')
}

/** A name that somebody else chose, fit to stand in a sentence of ours. */
export function plainName(text: string): string {
  return plainText(text, NAME_MAX)
}

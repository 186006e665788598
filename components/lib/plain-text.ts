/** Control characters that hide or reorder text, which are removed from text of other parties. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu
/** Marks that are drawn over their neighbours: beyond four of no width in a row, and signs around what is no keycap. */
const PAINTS_OVER = /(?<=\p{Mn}{4})\p{Mn}+|(?!\u20e3)\p{Me}|(?<![\d#*]\ufe0f?)\u20e3/gu

const NAME_MAX = 80
const HOST_MAX = 60

/**
 * Returns text of another party as one paragraph without control characters, of at most `max` characters. Marks that
 * would be drawn over the words around it are left out; what was stored in the past may have them.
 */
export function plainText(text: string, max: number): string {
  const plain = text.replaceAll(INVISIBLE, ' ').replaceAll(PAINTS_OVER, '').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(plain)
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('')
}

/** Returns a host, of which a long one is cut at the front: its end says whose it is. */
export function plainHost(host: string): string {
  return host.length > HOST_MAX ? `…${plainText(host.slice(-HOST_MAX), HOST_MAX)}` : plainText(host, HOST_MAX)
}

/** Returns a name that another party chose, fit to be part of one of our sentences. */
export function plainName(text: string): string {
  return plainText(text, NAME_MAX)
}

/** A name that ends with the tail of the agent's key. */
const WITH_TAIL = /^(.*) (…[\w-]{4})$/s

/** Returns the parts of an agent's name; the tail of its key, by which agents are told apart, is null without one. */
export function splitTail(name: string): { readonly start: string; readonly tail: string | null } {
  const [, start = name, tail = null] = WITH_TAIL.exec(name) ?? []
  return { start, tail }
}

/** Control characters that hide or reorder text, which are removed from text of other parties. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

const NAME_MAX = 80
const HOST_MAX = 60

/** Returns text of another party as one paragraph without control characters, of at most `max` characters. */
export function plainText(text: string, max: number): string {
  const characters = Array.from(text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim())
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

import { domainToUnicode } from 'node:url'
import unhomoglyph from 'unhomoglyph'
import { parseUrl } from '../../../base/core/parse-url'

/** A merchant for which the person could mistake another. */
export interface KnownShop {
  readonly audience: string
  /** The registered name; null without one. */
  readonly name: string | null
}

export interface Resemblance {
  readonly name: string
  readonly origin: string
}

/** The shortest name that is compared letter by letter: among shorter ones, most differ by one letter. */
const SHORTEST_SIMILAR = 4
/** The shortest name that is found within another host: shorter ones are parts of many. */
const SHORTEST_CONTAINED = 5
/** Names that many shops have in their hosts without a thought of the shop that is called so. */
const COMMON =
  /^(?:books|checkout|coffee|flowers|games|login|market|mobile|music|online|payments?|secure|store|tickets|travel)$/
const IP_ADDRESS = /^\[|(?:^|\.)\d+$/
/** The label before a country's ending that belongs to the ending, as in `co.uk` and `com.au`. */
const SECOND_LEVEL = /^(?:ac|co|com|edu|gov|net|org)$/

/**
 * Returns the known merchant that an address imitates: its host looks the same but differs (letters of other alphabets,
 * `rn` for `m`, `1` for `l`), its name differs by one letter that was added, left out, changed or swapped, or it contains
 * the known host or, between dots and hyphens, its name. Null when it imitates none. A host imitates neither itself nor
 * another of the same domain.
 */
export function findLookAlike(audience: string, known: readonly KnownShop[]): Resemblance | null {
  const candidate = readHost(audience)
  if (candidate === null) return null
  const parts = partsOf(candidate)
  for (const shop of known) {
    const host = readHost(shop.audience)
    if (host === null || host.domain === candidate.domain) continue
    if (contains(candidate, parts, host) || resembles(candidate, host))
      return { name: shop.name ?? host.ascii, origin: new URL(shop.audience).origin }
  }
  return null
}

interface Host {
  readonly ascii: string
  /** The host in Unicode, as a person reads it. */
  readonly unicode: string
  /** The registered domain: the name with its ending. */
  readonly domain: string
  /** The name alone. */
  readonly label: string
  /** The skeletons of the host and of the name. */
  readonly looks: { readonly host: string; readonly label: string }
}

function readHost(address: string): Host | null {
  const hostname = parseUrl(address)?.hostname ?? ''
  if (hostname === '' || IP_ADDRESS.test(hostname)) return null
  const unicode = (domainToUnicode(hostname) || hostname).replace(/^www\./, '')
  const labels = unicode.split('.')
  const ending = endingLength(labels)
  const label = labels.at(-ending - 1) ?? unicode
  const looks = { host: skeleton(unicode), label: skeleton(label) }
  return { ascii: hostname, unicode, domain: labels.slice(-ending - 1).join('.'), label, looks }
}

/** Returns the number of labels in the ending, as far as it is known without a list of all endings. */
function endingLength(labels: readonly string[]): number {
  const isCountry = labels.at(-1)?.length === 2
  return labels.length > 2 && isCountry && SECOND_LEVEL.test(labels.at(-2) ?? '') ? 2 : 1
}

function resembles(candidate: Host, shop: Host): boolean {
  if (candidate.looks.host === shop.looks.host) return true
  if (candidate.label === shop.label) return false
  if (candidate.looks.label === shop.looks.label) return true
  const shortest = Math.min(candidate.label.length, shop.label.length)
  return shortest >= SHORTEST_SIMILAR && isOneEditAway(candidate.label, shop.label)
}

/** Returns what stands between dots and hyphens of a host before its ending: each part between two hyphens. */
function partsOf({ unicode, domain, label }: Host): string {
  const name = unicode.slice(0, unicode.length - (domain.length - label.length))
  return `-${skeleton(name.replaceAll('.', '-'))}-`
}

/** Returns whether some labels of a host are the domain of a shop, or some of its parts the name of the shop. */
function contains({ unicode, label }: Host, parts: string, shop: Host): boolean {
  if (label !== shop.label && `.${unicode}.`.includes(`.${shop.domain}.`)) return true
  const isDistinctive = shop.label.length >= SHORTEST_CONTAINED && !COMMON.test(shop.label)
  return isDistinctive && parts.includes(`-${shop.looks.label}-`)
}

/** Returns the form that all texts of the same look share (Unicode Technical Standard 39, section 4). */
function skeleton(text: string): string {
  return unhomoglyph(text.normalize('NFD')).toLowerCase().normalize('NFD')
}

/** Returns whether two texts differ by one character added, left out or changed, or by two neighbours swapped. */
function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = [Array.from(one), Array.from(other)].toSorted((a, b) => a.length - b.length)
  if (short === undefined || long === undefined || long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const rest = (text: readonly string[], from: number) => text.slice(from).join('')
  if (short.length < long.length) return rest(short, start) === rest(long, start + 1)
  const isSwapped =
    short[start] === long[start + 1] &&
    short[start + 1] === long[start] &&
    rest(short, start + 2) === rest(long, start + 2)
  return isSwapped || rest(short, start + 1) === rest(long, start + 1)
}

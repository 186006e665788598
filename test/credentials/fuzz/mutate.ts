/** Changes to texts, JSON and JWTs, at random and repeatable. */
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../faults/random'

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e15,
  '',
  '\u0000',
  'x'.repeat(3_000),
  [],
  {},
  { ['__proto__']: { verified: true } },
  ['a', ['b']],
  '$',
  'none',
  'constructor',
]

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
export const hostile = (random: Random) => random.pick(HOSTILE)

const placeIn = (random: Random, text: string) => random.int(0, Math.max(0, text.length - 1))

/** One character of the text becomes another, goes, or comes. */
export function changeText(random: Random, text: string): string {
  const index = placeIn(random, text)
  const character = random.pick([...'Aa0-_~.=+/ \n\u0000\u{1F600}'])
  const kept = text.slice(index + (random.chance(0.5) ? 1 : 0))
  return text.slice(0, index) + (random.chance(0.3) ? '' : character) + kept
}

export const truncate = (random: Random, text: string) => text.slice(0, placeIn(random, text))

/** An entry of an array becomes something hostile; members of an object go, and one comes or becomes hostile. */
export function spoil(random: Random, value: unknown, members: readonly string[]): unknown {
  if (Array.isArray(value)) return value.with(random.int(0, value.length - 1), hostile(random))
  const kept = Object.entries(value as object).filter(() => random.chance(0.9))
  const member = [random.pick(members), hostile(random)] as const
  return Object.fromEntries(random.chance(0.7) ? [...kept, member] : kept)
}

/** The same somewhere inside: what stands at a random depth becomes something hostile, or goes. */
export function spoilDeep(random: Random, value: unknown): unknown {
  const isParent = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isParent || random.chance(0.2)) return hostile(random)
  const name = random.pick(Object.keys(value))
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (key !== name) return [[key, member]]
    return random.chance(0.1) ? [] : [[key, spoilDeep(random, member)]]
  })
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}

/** A member of the header or payload of a compact JWT changes, and its signature does not. */
export function changeJwt(random: Random, jwt: string, members: readonly string[]): string {
  const segments = jwt.split('.')
  const index = random.int(0, Math.min(1, segments.length - 1))
  return segments.with(index, encode(spoil(random, decode(segments[index] ?? ''), members))).join('.')
}

/** Whether everything that one value says is said by the other too. */
export function isWithin(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) {
    return isDeepStrictEqual(part, whole)
  }
  const said = new Map<string, unknown>(Object.entries(whole))
  return Object.entries(part).every(([name, value]) => said.has(name) && isWithin(value, said.get(name)))
}

import { canonicalJson } from '../encoding'

/** Parameters whose text is a list of values, separated by spaces. */
const LISTS_AS_TEXT: readonly string[] = ['scope']

/** Whether two JSON values are the same, whatever the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

/** Returns the values of a parameter that is a list; null for any other. */
export function toValues(parameter: string, value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || !LISTS_AS_TEXT.includes(parameter)) return null
  return value.split(' ').filter((part) => part !== '')
}

/** Returns the values of a list in canonical JSON, so that equal ones compare equal; empty for any other value. */
const canonicalSet = (list: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(list) ? (list as unknown[]).map(canonicalJson) : [])

/** Whether a list contains all of the values; false for a value that is no list. */
export function containsAll(list: unknown, values: unknown): boolean {
  if (!Array.isArray(list) || !Array.isArray(values)) return false
  const held = canonicalSet(list)
  return values.every((value) => held.has(canonicalJson(value)))
}

/** Returns the values of both lists, each once, in their order. */
export function unionOf(one: unknown, other: unknown): readonly unknown[] {
  const all = [one, other].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  return [...new Map(all.map((value) => [canonicalJson(value), value])).values()]
}

/** Returns the values of the first list that the other one contains too. */
export function intersectionOf(one: unknown, other: unknown): readonly unknown[] {
  const held = canonicalSet(other)
  return unionOf(one, []).filter((value) => held.has(canonicalJson(value)))
}

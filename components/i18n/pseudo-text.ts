import type { Locale } from './locale'

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  d: 'ð',
  e: 'é',
  g: 'ğ',
  h: 'ĥ',
  i: 'í',
  k: 'ķ',
  l: 'ļ',
  n: 'ñ',
  o: 'ö',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'ü',
  w: 'ŵ',
  y: 'ý',
  z: 'ž',
  A: 'Å',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  G: 'Ğ',
  I: 'Î',
  L: 'Ļ',
  N: 'Ñ',
  O: 'Ö',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
  Y: 'Ý',
  Z: 'Ž',
}
/** The share by which texts are lengthened: German is about a third longer than English, and single words even more. */
const PADDING_SHARE = 0.4
const [RIGHT_TO_LEFT, END_OF_DIRECTION] = ['\u202e', '\u202c']

/** Returns every text below `texts` in the made-up language, at any depth and also those that functions return. */
export function pseudoText<T extends object>(texts: T, locale: Locale): T {
  return change(texts, locale === 'ar-XB' ? mirrored : lengthened) as T
}

function change(value: unknown, alter: (text: string) => string): unknown {
  if (typeof value === 'string') return alter(value)
  if (typeof value === 'function') {
    return (...values: unknown[]): unknown => change(Reflect.apply(value, undefined, values), alter)
  }
  if (Array.isArray(value)) return value.map((member) => change(member, alter))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, alter)]))
}

function lengthened(text: string): string {
  const accented = Array.from(text, (letter) => accents[letter] ?? letter).join('')
  return `[${accented}${'·'.repeat(Math.ceil(text.length * PADDING_SHARE))}]`
}

const mirrored = (text: string): string => `${RIGHT_TO_LEFT}${text}${END_OF_DIRECTION}`

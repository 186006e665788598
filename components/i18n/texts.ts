import type { Locale } from './locale'
import { pseudoText } from './pseudo-text'

/** The same texts in another language: sentences for sentences, and functions that take the same. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer V) => string
    ? (...values: V) => string
    : T extends (...values: infer V) => infer R
      ? (...values: V) => Translated<R>
      : T extends object
        ? { readonly [K in keyof T]: Translated<T[K]> }
        : T

/** One folder's texts in every language. English is always there; browsers load another language when they need it. */
export interface Texts<T> {
  readonly en: T
  readonly de: () => Promise<Translated<T>>
}

/** What `useText` and `readText` make of the texts: for functions that are handed them. */
export type TextOf<X extends { readonly en: unknown }> = Translated<X['en']>

const loading = new WeakMap<object, Promise<unknown>>()

/** The texts in the reader's language, or the promise of them; the same promise each time. */
export function textIn<T extends object>(texts: Texts<T>, locale: Locale): Translated<T> | Promise<Translated<T>> {
  if (locale === 'de') return germanOf(texts)
  const english = texts.en as Translated<T>
  return locale === 'en' ? english : pseudoText(english, locale)
}

function germanOf<T extends object>(texts: Texts<T>): Promise<Translated<T>> {
  const german = (loading.get(texts) as Promise<Translated<T>> | undefined) ?? texts.de()
  loading.set(texts, german)
  return german
}

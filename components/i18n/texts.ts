import type { Locale } from './locale'

/** Texts in another language: a sentence for each sentence, and functions with the same parameters. */
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

/** The texts as `useText` and `readText` return them, for functions that take them. */
export type TextOf<X extends { readonly en: unknown }> = Translated<X['en']>

const loading = new WeakMap<object, Map<Locale, Promise<unknown>>>()

/** Returns the texts in the reader's language, or a promise of them; the same promise each time. */
export function textIn<T extends object>(texts: Texts<T>, locale: Locale): Translated<T> | Promise<Translated<T>> {
  if (locale === 'en') return texts.en as Translated<T>
  const ofTexts = loading.get(texts) ?? new Map<Locale, Promise<unknown>>()
  loading.set(texts, ofTexts)
  const known = (ofTexts.get(locale) as Promise<Translated<T>> | undefined) ?? load(texts, locale)
  ofTexts.set(locale, known)
  return known
}

async function load<T extends object>(texts: Texts<T>, locale: Locale): Promise<Translated<T>> {
  if (locale === 'de') return texts.de()
  const { pseudoText } = await import('./pseudo-text')
  return pseudoText(texts.en as Translated<T>, locale)
}

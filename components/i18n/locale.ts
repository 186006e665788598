/** The languages that people can choose. */
export const locales = ['en', 'de'] as const
export type Language = (typeof locales)[number]

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/**
 * Two made-up languages that show what a real one would break: `en-XA` is longer and full of accents, `ar-XB` runs from
 * right to left. Nobody is offered them; tests and translators set the cookie by hand.
 */
export const pseudoLocales = ['en-XA', 'ar-XB'] as const
export type Locale = Language | (typeof pseudoLocales)[number]

/** A cookie rather than local storage, so that the server already sends the right words. */
export const LOCALE_COOKIE = 'locale'

const known: readonly Locale[] = [...locales, ...pseudoLocales]

/** What the person chose, else the first language of the browser that we speak, else English. */
export function readLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  return known.find((locale) => locale === chosen) ?? preferredOf(acceptLanguage ?? '') ?? 'en'
}

/** RFC 9110 section 12.5.4: ranges with weights; the region of a range does not matter to us. */
function preferredOf(acceptLanguage: string): Language | undefined {
  return acceptLanguage
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => locales.find((locale) => locale === language))
    .find((locale) => locale !== undefined)
}

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar-XB' ? 'rtl' : 'ltr')

/** The language whose rules for numbers and dates apply, as Intl knows it. */
export const intlLocale = (locale: Locale): string => (locale === 'de' ? 'de-DE' : 'en-GB')

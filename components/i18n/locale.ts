/** The languages that people can choose. */
export const locales = ['en', 'de'] as const
export type Language = (typeof locales)[number]

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/**
 * Two made-up languages that show what a real one would break: `en-XA` is longer and full of accents, `ar-XB` runs from
 * right to left. They are not offered; tests and translators set the cookie themselves.
 */
export const pseudoLocales = ['en-XA', 'ar-XB'] as const
export type Locale = Language | (typeof pseudoLocales)[number]

/**
 * The name of the cookie with the chosen language; a cookie rather than local storage, so that the server already sends
 * the page in it.
 */
export const LOCALE_COOKIE = 'locale'

const known: readonly Locale[] = [...locales, ...pseudoLocales]

/** Returns the chosen language, else the first language of the browser that the portal has, else English. */
export function readLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  return known.find((locale) => locale === chosen) ?? preferredOf(acceptLanguage ?? '') ?? 'en'
}

/**
 * Returns the language of the portal that Accept-Language prefers by its weights (RFC 9110 section 12.5.4); undefined
 * when it names none. The region of a range is ignored.
 */
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

/** Returns the Intl locale whose rules for numbers and dates apply. */
export const intlLocale = (locale: Locale): string => (locale === 'de' ? 'de-DE' : 'en-GB')

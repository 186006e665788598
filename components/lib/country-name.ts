import { intlLocale, type Locale } from '@/components/i18n/locale'
import { keptFormats } from './kept-formats'

const namesOfCountries = keptFormats((locale: Locale) => new Intl.DisplayNames(intlLocale(locale), { type: 'region' }))

/** Returns the name of a country, for instance "Ireland"; the text itself where it is no code of ISO 3166-1. */
export function countryName(country: string, locale: Locale): string {
  return /^[A-Z]{2}$/.test(country) ? (namesOfCountries(locale).of(country) ?? country) : country
}

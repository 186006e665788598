import 'server-only'
import { headers } from 'next/headers'
import { cache } from 'react'
import { readChoice } from '@/components/lib/read-choice'
import { isTimeZone } from '@/server/base/core/zoned-time'
import { type Format, formatIn, TIME_ZONE_COOKIE } from './format'
import { LOCALE_COOKIE, type Locale, readLocale } from './locale'
import { type Texts, type Translated, textIn } from './texts'

/** Returns the reader's language, in server components; browsers use `useLocale`. */
export const requestLocale = cache(async (): Promise<Locale> => {
  return readLocale(await readChoice(LOCALE_COOKIE), (await headers()).get('accept-language'))
})

/**
 * Returns the reader's time zone, in server components; UTC while it is unknown, since browsers send it only from their
 * second visit on. Browsers use `useTimeZone`.
 */
export const requestTimeZone = cache(async (): Promise<string> => {
  const name = await readChoice(TIME_ZONE_COOKIE)
  return name !== undefined && isTimeZone(name) ? name : 'UTC'
})

/** Returns the formats of the reader's language and time zone, in server components. */
export async function readFormat(): Promise<Format> {
  return formatIn(await requestLocale(), await requestTimeZone())
}

/** Returns a folder's texts in the reader's language, in server components. */
export async function readText<T extends object>(texts: Texts<T>): Promise<Translated<T>> {
  return textIn(texts, await requestLocale())
}

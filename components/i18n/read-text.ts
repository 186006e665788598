import 'server-only'
import { headers } from 'next/headers'
import { cache } from 'react'
import { readChoice } from '@/components/lib/read-choice'
import { isTimeZone } from '@/server/base/core/zoned-time'
import { type Format, formatIn, TIME_ZONE_COOKIE } from './format'
import { LOCALE_COOKIE, type Locale, readLocale } from './locale'
import { type Texts, type Translated, textIn } from './texts'

/** The reader's language, for server components; browsers ask `useLocale`. */
export const requestLocale = cache(async (): Promise<Locale> => {
  return readLocale(await readChoice(LOCALE_COOKIE), (await headers()).get('accept-language'))
})

/** The zone of the reader's clock, which browsers say with their second visit; browsers ask `useTimeZone`. */
export const requestTimeZone = cache(async (): Promise<string> => {
  const name = await readChoice(TIME_ZONE_COOKIE)
  return name !== undefined && isTimeZone(name) ? name : 'UTC'
})

/** Amounts and times as the reader's language writes them, for server components. */
export async function readFormat(): Promise<Format> {
  return formatIn(await requestLocale(), await requestTimeZone())
}

/** A folder's texts in the reader's language, for server components. */
export async function readText<T extends object>(texts: Texts<T>): Promise<Translated<T>> {
  return textIn(texts, await requestLocale())
}

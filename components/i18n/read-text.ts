import 'server-only'
import { headers } from 'next/headers'
import { cache } from 'react'
import { readChoice } from '@/components/lib/read-choice'
import { type Format, formatIn } from './format'
import { LOCALE_COOKIE, type Locale, readLocale } from './locale'
import { type Texts, type Translated, textIn } from './texts'

/** The reader's language, for server components; browsers ask `useLocale`. */
export const requestLocale = cache(async (): Promise<Locale> => {
  return readLocale(await readChoice(LOCALE_COOKIE), (await headers()).get('accept-language'))
})

/** Amounts and times as the reader's language writes them, for server components. */
export async function readFormat(): Promise<Format> {
  return formatIn(await requestLocale())
}

/** A folder's texts in the reader's language, for server components. */
export async function readText<T extends object>(texts: Texts<T>): Promise<Translated<T>> {
  return textIn(texts, await requestLocale())
}

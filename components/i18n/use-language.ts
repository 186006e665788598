'use client'

import { useRouter } from 'next/navigation'
import { useOptimistic, useTransition } from 'react'
import { rememberChoice } from '@/components/lib/remember'
import { type Language, LOCALE_COOKIE, locales } from './locale'
import { useLocale } from './locale-provider'

/**
 * Returns the language of the page, null for a made-up one, and a setter: the page stays, and its texts are loaded
 * again.
 */
export function useLanguage(): readonly [Language | null, (language: Language) => void] {
  const locale = useLocale()
  const router = useRouter()
  const [, begin] = useTransition()
  const [language, show] = useOptimistic(locales.find((known) => known === locale) ?? null)
  const choose = (wanted: Language) =>
    begin(() => {
      show(wanted)
      rememberChoice(LOCALE_COOKIE, wanted)
      router.refresh()
    })
  return [language, choose]
}

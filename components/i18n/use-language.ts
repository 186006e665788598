'use client'

import { useRouter } from 'next/navigation'
import { useOptimistic, useTransition } from 'react'
import { rememberChoice } from '@/components/lib/remember'
import { type Language, LOCALE_COOKIE, locales } from './locale'
import { useLocale } from './locale-provider'

/** What the page speaks, null for a made-up language, and how to change it: the page stays, its texts are loaded again. */
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

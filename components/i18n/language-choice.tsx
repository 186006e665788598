'use client'

import { layoutTexts } from '@/components/layout/messages'
import { Segments } from '@/components/ui/segments'
import { languageNames, locales } from './locale'
import { useText } from './locale-provider'
import { useLanguage } from './use-language'

const items = locales.map((value) => ({ value, label: languageNames[value], lang: value }))

/** Offers each language under its own name, for people who cannot read the language of the page. */
export function LanguageChoice({ className }: { readonly className?: string }) {
  const { language: label } = useText(layoutTexts)
  const [language, choose] = useLanguage()
  return <Segments label={label} items={items} value={language} onChange={choose} {...(className && { className })} />
}

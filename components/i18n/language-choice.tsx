'use client'

import { layoutTexts } from '@/components/layout/messages'
import { Segments } from '@/components/ui/segments'
import { languageNames, locales } from './locale'
import { useText } from './locale-provider'
import { useLanguage } from './use-language'

const items = locales.map((value) => ({ value, label: languageNames[value], lang: value }))

/** Each language under its own name, for those who cannot read the one that the page is in. */
export function LanguageChoice({ className }: { readonly className?: string }) {
  const { language: label } = useText(layoutTexts)
  const [language, choose] = useLanguage()
  return <Segments label={label} items={items} value={language} onChange={choose} {...(className && { className })} />
}

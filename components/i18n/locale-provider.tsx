'use client'

import { DirectionProvider } from '@base-ui/react/direction-provider'
import { createContext, type ReactNode, use } from 'react'
import { directionOf, type Locale } from './locale'
import { type Texts, type Translated, textIn } from './texts'

const LocaleContext = createContext<Locale>('en')

/** Provides the language of everything below it. */
export function LocaleProvider({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  return (
    <LocaleContext value={locale}>
      <DirectionProvider direction={directionOf(locale)}>{children}</DirectionProvider>
    </LocaleContext>
  )
}

export const useLocale = (): Locale => use(LocaleContext)

/** Returns a folder's texts in the reader's language. Suspends while they are being loaded. */
export function useText<T extends object>(texts: Texts<T>): Translated<T> {
  const found = textIn(texts, useLocale())
  return found instanceof Promise ? use(found) : found
}

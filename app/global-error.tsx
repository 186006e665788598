'use client'

import { type ComponentProps, useSyncExternalStore } from 'react'
import { directionOf, LOCALE_COOKIE, type Locale, readLocale } from '@/components/i18n/locale'
import { LocaleProvider } from '@/components/i18n/locale-provider'
import { BareShell } from '@/components/layout/bare-shell'
import { LatePageError } from '@/components/layout/late-page-error'
import { PRODUCT } from '@/components/layout/product'
import { readTheme, THEME_COOKIE } from '@/components/layout/theme'
import { rememberedChoice } from '@/components/lib/remember'
import './globals.css'

const never = () => () => undefined
const browserLocale = (): Locale => readLocale(rememberedChoice(LOCALE_COOKIE), navigator.languages.join(','))
const browserTheme = () => readTheme(rememberedChoice(THEME_COOKIE))

/** Replaces the root layout when that fails too, so it reads from the browser what the layout would have provided. */
export default function GlobalError(props: ComponentProps<typeof LatePageError>) {
  const locale = useSyncExternalStore<Locale>(never, browserLocale, () => 'en')
  const theme = useSyncExternalStore(never, browserTheme, () => 'system')
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme}>
      <body>
        <title>{PRODUCT}</title>
        <LocaleProvider locale={locale}>
          <BareShell>
            <LatePageError {...props} />
          </BareShell>
        </LocaleProvider>
      </body>
    </html>
  )
}

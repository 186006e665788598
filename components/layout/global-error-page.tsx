'use client'

import { type ComponentProps, useSyncExternalStore } from 'react'
import { directionOf, LOCALE_COOKIE, type Locale, readLocale } from '@/components/i18n/locale'
import { LocaleProvider, useText } from '@/components/i18n/locale-provider'
import { rememberedChoice } from '@/components/lib/remember'
import { failureTexts } from '@/components/ui/failure-messages'
import type { PageError } from './page-error'
import { PortalErrorPage } from './portal-error'
import { readTheme, THEME_COOKIE } from './theme'

const never = () => () => undefined
const browserLocale = (): Locale => readLocale(rememberedChoice(LOCALE_COOKIE), navigator.languages.join(','))
const browserTheme = () => readTheme(rememberedChoice(THEME_COOKIE))

/** Replaces the root layout when that fails too, so it reads from the browser what the layout would have provided. */
export function GlobalErrorPage(props: ComponentProps<typeof PageError>) {
  const locale = useSyncExternalStore<Locale>(never, browserLocale, () => 'en')
  const theme = useSyncExternalStore(never, browserTheme, () => 'system')
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme}>
      <body>
        <LocaleProvider locale={locale}>
          <Title />
          <PortalErrorPage {...props} />
        </LocaleProvider>
      </body>
    </html>
  )
}

function Title() {
  return <title>{useText(failureTexts).page.title}</title>
}

import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { ClockProvider } from '@/components/i18n/clock'
import { directionOf } from '@/components/i18n/locale'
import { LocaleProvider } from '@/components/i18n/locale-provider'
import { readText, requestLocale, requestTimeZone } from '@/components/i18n/read-text'
import { layoutTexts } from '@/components/layout/messages'
import { PRODUCT } from '@/components/layout/product'
import { readTheme, THEME_COOKIE } from '@/components/layout/theme'
import { readChoice } from '@/components/lib/read-choice'
import './globals.css'

export async function generateMetadata(): Promise<Metadata> {
  const layoutText = await readText(layoutTexts)
  return {
    title: { default: PRODUCT, template: `%s · ${PRODUCT}` },
    description: layoutText.tagline,
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f7f9' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1015' },
  ],
}

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const theme = readTheme(await readChoice(THEME_COOKIE))
  const locale = await requestLocale()
  const { noScript } = await readText(layoutTexts)
  return (
    // The menu changes the theme in place, which the server's markup cannot know.
    <html lang={locale} dir={directionOf(locale)} data-theme={theme} suppressHydrationWarning>
      <body>
        <noscript>
          <p className="bg-warning-soft p-4 font-medium text-warning">{noScript}</p>
        </noscript>
        <LocaleProvider locale={locale}>
          <ClockProvider timeZone={await requestTimeZone()} renderedAt={Date.now()}>
            {children}
          </ClockProvider>
        </LocaleProvider>
      </body>
    </html>
  )
}

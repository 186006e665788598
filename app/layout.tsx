import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { directionOf } from '@/components/i18n/locale'
import { LocaleProvider } from '@/components/i18n/locale-provider'
import { readText, requestLocale } from '@/components/i18n/read-text'
import { layoutTexts } from '@/components/layout/messages'
import { readTheme, THEME_COOKIE } from '@/components/layout/theme'
import './globals.css'

export async function generateMetadata(): Promise<Metadata> {
  const layoutText = await readText(layoutTexts)
  return {
    title: { default: layoutText.product, template: `%s · ${layoutText.product}` },
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
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value)
  const locale = await requestLocale()
  return (
    // The menu changes the theme in place, which the server's markup cannot know.
    <html lang={locale} dir={directionOf(locale)} data-theme={theme} suppressHydrationWarning>
      <body>
        <LocaleProvider locale={locale}>{children}</LocaleProvider>
      </body>
    </html>
  )
}

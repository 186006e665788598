import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { layoutText } from '@/components/layout/messages'
import { readTheme, THEME_COOKIE } from '@/components/layout/theme'
import './globals.css'

export const metadata: Metadata = {
  title: { default: layoutText.product, template: `%s · ${layoutText.product}` },
  description: layoutText.tagline,
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f7f9' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1015' },
  ],
}

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value)
  return (
    // The menu changes the theme in place, which the server's markup cannot know.
    <html lang="en" data-theme={theme} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  )
}

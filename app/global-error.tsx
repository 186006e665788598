'use client'

import { type ComponentProps, lazy } from 'react'
import { LoadBoundary } from '@/components/layout/load-boundary'
import type { PageError } from '@/components/layout/page-error'
import { PRODUCT } from '@/components/layout/product'
import { StalePage } from '@/components/layout/stale-page'
import './globals.css'

// Fetched when an error occurs, so that pages do not load it.
const View = lazy(() =>
  import('@/components/layout/global-error-page').then(({ GlobalErrorPage: view }) => ({ default: view })),
)

export default function GlobalError(props: ComponentProps<typeof PageError>) {
  const lost = (
    <html lang="en">
      <body>
        <title>{PRODUCT}</title>
        <StalePage />
      </body>
    </html>
  )
  return (
    <LoadBoundary lost={lost}>
      <View {...props} />
    </LoadBoundary>
  )
}

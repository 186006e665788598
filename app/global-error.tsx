'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import type { PageError } from '@/components/layout/page-error'
import './globals.css'

// Fetched when an error occurs, so that pages do not load it.
const View = lazy(() =>
  import('@/components/layout/global-error-page').then(({ GlobalErrorPage: view }) => ({ default: view })),
)

export default function GlobalError(props: ComponentProps<typeof PageError>) {
  return (
    <Suspense fallback={null}>
      <View {...props} />
    </Suspense>
  )
}

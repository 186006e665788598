'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import type { PageError } from '@/components/layout/page-error'

// Fetched when an error occurs, so that pages do not load it.
const View = lazy(() =>
  import('@/components/layout/portal-error').then(({ PortalErrorPage: view }) => ({ default: view })),
)

export default function PortalError(props: ComponentProps<typeof PageError>) {
  return (
    <Suspense fallback={null}>
      <View {...props} />
    </Suspense>
  )
}

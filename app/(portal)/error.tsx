'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import type { PageError } from '@/components/layout/page-error'

// Fetched when something breaks, so that pages do not pay for it.
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

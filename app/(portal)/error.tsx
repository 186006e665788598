'use client'

import { type ComponentProps, lazy } from 'react'
import { LoadBoundary } from '@/components/layout/load-boundary'
import type { PageError } from '@/components/layout/page-error'
import { StalePage } from '@/components/layout/stale-page'

// Fetched when an error occurs, so that pages do not load it.
const View = lazy(() =>
  import('@/components/layout/portal-error').then(({ PortalErrorPage: view }) => ({ default: view })),
)

export default function PortalError(props: ComponentProps<typeof PageError>) {
  return (
    <LoadBoundary lost={<StalePage />}>
      <View {...props} />
    </LoadBoundary>
  )
}

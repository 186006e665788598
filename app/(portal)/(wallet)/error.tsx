'use client'

import { type ComponentProps, lazy } from 'react'
import { LatePart } from '@/components/layout/late-part'
import type { PageError } from '@/components/layout/page-error'

// Fetched when an error occurs, so that pages do not load it.
const View = lazy(() => import('@/components/layout/page-error').then(({ PageError: view }) => ({ default: view })))

export default function WalletError(props: ComponentProps<typeof PageError>) {
  return (
    <LatePart>
      <View {...props} />
    </LatePart>
  )
}

'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { PageSkeleton } from '@/components/ui/skeleton'
import type { Spending } from './spending-view'

// Fetched when the tab is opened, so that the list does not pay for it.
const View = lazy(() => import('./spending-view').then(({ Spending: view }) => ({ default: view })))

export function SpendingTab(props: ComponentProps<typeof Spending>) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <View {...props} />
    </Suspense>
  )
}

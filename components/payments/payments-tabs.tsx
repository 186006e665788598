'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { PageSkeleton } from '@/components/ui/skeleton'
import type { PaymentsList } from './payments-list'
import type { Spending } from './spending-view'

// Fetched when its tab is opened, so that neither tab loads the other's code.
const List = lazy(() => import('./payments-list').then(({ PaymentsList: view }) => ({ default: view })))
const View = lazy(() => import('./spending-view').then(({ Spending: view }) => ({ default: view })))

export function ListTab(props: ComponentProps<typeof PaymentsList>) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <List {...props} />
    </Suspense>
  )
}

export function SpendingTab(props: ComponentProps<typeof Spending>) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <View {...props} />
    </Suspense>
  )
}

'use client'

import { type ComponentProps, lazy } from 'react'
import type { PaymentsList } from './payments-list'
import type { Spending } from './spending-view'

// Each is fetched when its tab is opened, so that neither pays for the other. Neither has a Suspense boundary of its own:
// when the tabs change before what is inside a boundary works, React drops what the server drew there.
const List = lazy(() => import('./payments-list').then(({ PaymentsList: view }) => ({ default: view })))
const View = lazy(() => import('./spending-view').then(({ Spending: view }) => ({ default: view })))

export function ListTab(props: ComponentProps<typeof PaymentsList>) {
  return <List {...props} />
}

export function SpendingTab(props: ComponentProps<typeof Spending>) {
  return <View {...props} />
}

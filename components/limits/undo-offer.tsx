'use client'

import { lazy, Suspense } from 'react'
import { useWanted } from '@/components/lib/use-wanted'

// Fetched when there is something to undo, so that pages do not load it.
const Toast = lazy(() => import('./undo-toast').then(({ UndoToast: view }) => ({ default: view })))

export interface UndoOfferProps {
  /** The lowering of limits that can be undone; each is offered once, and null offers nothing. */
  readonly changeId: string | null
  readonly onUndone: () => void
}

/** Offers for a while to undo a lowering of limits. */
export function UndoOffer(props: UndoOfferProps) {
  return useWanted(props.changeId !== null) ? (
    <Suspense fallback={null}>
      <Toast {...props} />
    </Suspense>
  ) : null
}

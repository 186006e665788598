'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { useWanted } from '@/components/lib/use-wanted'

// Fetched when it first opens, so that pages do not pay for it.
const Popup = lazy(() => import('./alert-dialog-popup').then(({ ConfirmDialogPopup: view }) => ({ default: view })))

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly destructive?: boolean
  /** The answer to what was confirmed is awaited; until it is there, the dialog stays. */
  readonly busy?: boolean
  /** Nothing has been sent, although it is busy: Cancel still cancels. */
  readonly proving?: boolean
  readonly onConfirm: () => void
}

/** Asks before something that cannot be taken back. Focus starts on Cancel, so that Enter alone does nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return useWanted(props.open) ? (
    <Suspense fallback={null}>
      <Popup {...props} />
    </Suspense>
  ) : null
}

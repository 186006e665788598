'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { useWanted } from '@/components/lib/use-wanted'

// Fetched when it first opens, so that pages do not load it.
const Popup = lazy(() => import('./alert-dialog-popup').then(({ ConfirmDialogPopup: view }) => ({ default: view })))

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly destructive?: boolean
  /** Whether the answer to the confirmed action is awaited; the dialog stays open until then. */
  readonly busy?: boolean
  /** Whether nothing has been sent yet although it is busy, so that Cancel still cancels. */
  readonly proving?: boolean
  readonly onConfirm: () => void
}

/**
 * Asks for confirmation of something that cannot be undone. Focus starts on Cancel, so that Enter alone does nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return useWanted(props.open) ? (
    <Suspense fallback={null}>
      <Popup {...props} />
    </Suspense>
  ) : null
}

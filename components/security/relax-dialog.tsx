'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { useWanted } from '@/components/lib/use-wanted'
import type { StepUpFailureReason } from './use-step-up'

// Fetched when it first opens, so that pages do not load it.
const Question = lazy(() => import('./relax-question').then(({ RelaxQuestion: view }) => ({ default: view })))

export interface RelaxDialogProps {
  /** The state of the dialog, from `useRelaxing`. */
  readonly dialog: {
    readonly open: boolean
    readonly onOpenChange: (open: boolean) => void
    readonly busy: boolean
    readonly proving: boolean
    readonly failure: StepUpFailureReason | null
    readonly onConfirm: () => void
  }
  readonly title: string
  readonly from: string
  readonly to: string
  /** The consequences of the change. */
  readonly children: ReactNode
}

/** Says what a change relaxes, and how the person confirms it. */
export function RelaxDialog(props: RelaxDialogProps) {
  return useWanted(props.dialog.open) ? (
    <Suspense fallback={null}>
      <Question {...props} />
    </Suspense>
  ) : null
}

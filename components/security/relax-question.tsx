'use client'

import { useText } from '@/components/i18n/locale-provider'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Change } from '@/components/ui/change'
import type { RelaxDialogProps } from './relax-dialog'
import { relaxTexts } from './relax-messages'
import { StepUpFailure } from './step-up-failure'

/** The content of a RelaxDialog. */
export function RelaxQuestion({ dialog: { failure, ...dialog }, title, from, to, children }: RelaxDialogProps) {
  const text = useText(relaxTexts)
  return (
    <ConfirmDialog {...dialog} title={title} confirmLabel={text.confirm}>
      {children}
      <p>
        <Change from={from} to={to} becomes={text.becomes} className="font-medium text-ink" />
      </p>
      <p className="text-sm">{text.how}</p>
      <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
    </ConfirmDialog>
  )
}

'use client'

import { ArrowRight } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { LoosenDialogProps } from './loosen-dialog'
import { loosenTexts } from './loosen-messages'
import { StepUpFailure } from './step-up-failure'

/** What a LoosenDialog shows. */
export function LoosenQuestion({ dialog: { failure, ...dialog }, title, from, to, children }: LoosenDialogProps) {
  const text = useText(loosenTexts)
  return (
    <ConfirmDialog {...dialog} title={title} confirmLabel={text.confirm}>
      {children}
      <p className="flex flex-wrap items-center gap-x-2 font-medium text-ink">
        {from}
        <span className="flex min-w-0 items-center gap-2">
          <ArrowRight aria-label={text.becomes} className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
          {to}
        </span>
      </p>
      <p className="text-sm">{text.how}</p>
      <StepUpFailure failure={failure} />
    </ConfirmDialog>
  )
}

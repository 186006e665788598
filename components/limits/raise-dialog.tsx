'use client'

import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import type { StepUpFailureReason } from '@/components/security/use-step-up'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { RecordedLimits } from '@/server/wallet/limits/input'
import { LimitDifferences } from './limit-differences'
import { limitsTexts } from './messages'

interface RaiseDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly body: string
  readonly before: RecordedLimits | null
  readonly after: RecordedLimits | null
  readonly busy: boolean
  readonly failure: StepUpFailureReason | null
  readonly onConfirm: () => void
}

/** Shows what allowing more means, limit by limit, before the person confirms it. */
export function RaiseDialog({ title, body, before, after, failure, ...dialog }: RaiseDialogProps) {
  const text = useText(limitsTexts).raise
  return (
    <ConfirmDialog {...dialog} title={title} confirmLabel={text.confirm}>
      <p>{body}</p>
      <LimitDifferences before={before} after={after} />
      <p className="text-sm">{text.how}</p>
      <StepUpFailure failure={failure} />
    </ConfirmDialog>
  )
}

'use client'

import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { LimitDifferences } from './limit-differences'
import { limitsTexts } from './messages'
import type { useSaveLimits } from './use-save-limits'

interface RaiseDialogProps {
  readonly saving: Pick<
    ReturnType<typeof useSaveLimits>,
    'asked' | 'busy' | 'proving' | 'failure' | 'cancel' | 'confirm'
  >
}

/** Shows, limit by limit, what will be allowed before the person confirms it. */
export function RaiseDialog({ saving: { asked, busy, proving, failure, cancel, confirm } }: RaiseDialogProps) {
  const text = useText(limitsTexts).raise
  return (
    <ConfirmDialog
      open={asked.open}
      onOpenChange={cancel}
      busy={busy}
      proving={proving}
      onConfirm={confirm}
      title={text.title}
      confirmLabel={text.confirm}
    >
      <p>{text.body}</p>
      <LimitDifferences before={asked.before} after={asked.after} />
      <p className="text-sm">{text.how}</p>
      <StepUpFailure failure={failure} onRetry={confirm} />
    </ConfirmDialog>
  )
}

'use client'

import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmedDialog } from '@/components/security/use-confirmed-dialog'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { frozenTexts } from './frozen-messages'

const UNFREEZING = { purpose: 'security.relax', subject: { frozen: { from: true, to: false } } } as const

/** Says that the wallet is frozen, and lets the person unfreeze it. */
export function Frozen({ since }: { readonly since: string }) {
  const text = useText(frozenTexts)
  const trpc = useTRPC()
  const { mutateAsync: unfreeze } = useMutation(trpc.limits.unfreeze.mutationOptions())
  const { ask, dialog, failure } = useConfirmedDialog({
    action: UNFREEZING,
    send: (proof) => unfreeze({ proof }),
  })
  return (
    <>
      <Notice
        tone="warning"
        role="status"
        className="w-full"
        title={text.title}
        action={
          <Button data-focus-next variant="secondary" size="sm" onClick={ask}>
            {text.unfreeze}
          </Button>
        }
      >
        {text.body} {text.since} <Moment at={since} />.
      </Notice>
      <ConfirmDialog {...dialog} title={text.question} confirmLabel={text.unfreeze} cancelLabel={text.keep}>
        <p>{text.asBefore}</p>
        <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
      </ConfirmDialog>
    </>
  )
}

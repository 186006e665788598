'use client'

import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeyView } from '@/components/lib/api-types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { securityTexts } from './messages'
import { StepUpFailure } from './step-up-failure'
import { useConfirmed } from './use-confirmed'

interface RemovePasskeyProps {
  readonly passkey: PasskeyView
  readonly last: boolean
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onRemoved?: () => void
}

/** Removes a passkey after the person has confirmed it with a passkey. */
export function RemovePasskey({ passkey, last, open, onOpenChange, onRemoved }: RemovePasskeyProps) {
  const text = useText(securityTexts).removal
  const trpc = useTRPC()
  const { id } = passkey
  const { mutateAsync: remove } = useMutation(trpc.security.remove.mutationOptions())
  const { run, busy, proving, failure, reset } = useConfirmed({
    action: { purpose: 'passkey.remove', subject: { passkey_id: id } },
    send: (proof) => remove({ id, proof }),
    onSuccess: () => {
      onOpenChange(false)
      onRemoved?.()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => {
        onOpenChange(isOpen)
        reset()
      }}
      title={text.title(passkey.name)}
      confirmLabel={text.confirm}
      destructive
      busy={busy}
      proving={proving}
      onConfirm={run}
    >
      <p>{text.body}</p>
      {last ? <p>{text.last}</p> : null}
      <StepUpFailure failure={failure} onRetry={run} />
    </ConfirmDialog>
  )
}

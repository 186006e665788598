'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeyView } from '@/components/lib/api-types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { RequestFailure } from '@/components/ui/request-failure'
import { securityTexts } from './messages'
import { StepUpFailure } from './step-up-failure'
import { useStepUp } from './use-step-up'

interface RemovePasskeyProps {
  readonly passkey: PasskeyView
  readonly last: boolean
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Asks, lets the person confirm with a passkey, and removes. */
export function RemovePasskey({ passkey, last, open, onOpenChange }: RemovePasskeyProps) {
  const text = useText(securityTexts).removal
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { mutateAsync: send, error: refusal, reset } = useMutation(trpc.security.remove.mutationOptions())
  const removal = useMutation({
    mutationFn: async ({ id }: PasskeyView) => {
      reset()
      const proof = await stepUp.prove({ purpose: 'passkey.remove', subject: { passkey_id: id } })
      return send({ id, proof })
    },
    onSuccess: () => onOpenChange(false),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={text.title(passkey.name)}
      confirmLabel={text.confirm}
      destructive
      busy={removal.isPending}
      onConfirm={() => removal.mutate(passkey)}
    >
      <p>{text.body}</p>
      {last ? <p>{text.last}</p> : null}
      <StepUpFailure failure={stepUp.failure} />
      {refusal === null ? null : <RequestFailure error={refusal} />}
    </ConfirmDialog>
  )
}

'use client'

import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmedDialog } from '@/components/security/use-confirmed-dialog'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { agentsTexts } from './messages'

interface ResumeAgentProps {
  readonly clientId: string
  readonly label: string
  /** Whether the button is in a list, where it has to name its row. */
  readonly inRow?: boolean
}

/** Lets a paused agent pay and ask again, once the person has confirmed it. */
export function ResumeAgent({ clientId, label, inRow = false }: ResumeAgentProps) {
  const text = useText(agentsTexts).pause
  const trpc = useTRPC()
  const name = plainName(label)
  const { mutateAsync: resume } = useMutation(trpc.agents.resume.mutationOptions())
  const { ask, dialog, failure } = useConfirmedDialog({
    action: { purpose: 'security.relax', subject: { client_id: clientId, paused: { from: true, to: false } } },
    send: (proof) => resume({ client_id: clientId, proof }),
  })
  return (
    <>
      <Button
        data-focus-next
        variant="secondary"
        size="sm"
        aria-label={inRow ? text.resumeName(name) : undefined}
        onClick={ask}
      >
        {text.resume}
      </Button>
      <ConfirmDialog {...dialog} title={text.question(name)} confirmLabel={text.resume} cancelLabel={text.keep}>
        <p>{text.asBefore}</p>
        <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
      </ConfirmDialog>
    </>
  )
}

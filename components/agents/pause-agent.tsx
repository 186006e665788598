'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pause } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmedDialog } from '@/components/security/use-confirmed-dialog'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'

interface PauseAgentProps {
  readonly clientId: string
  readonly label: string
  readonly paused: boolean
  /** What the button says where the agent is not what the page is about. */
  readonly button?: string
}

/** Stops one agent with one press, or says that it is stopped and lets it go on. */
export function PauseAgent({ clientId, label, paused, button }: PauseAgentProps) {
  const text = useText(agentsTexts).pause
  const trpc = useTRPC()
  const queries = useQueryClient()
  const pause = useMutation(trpc.agents.pause.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return (
    <div data-focus-scope className="grid justify-items-start gap-3">
      {pause.isError ? <RequestFailure error={pause.error} /> : null}
      {paused ? (
        <Paused clientId={clientId} label={label} />
      ) : (
        <Button
          data-focus-next
          variant="secondary"
          busy={pause.isPending}
          onClick={() => pause.mutate({ client_id: clientId })}
        >
          <Pause aria-hidden />
          {button ?? text.button}
        </Button>
      )}
    </div>
  )
}

function Paused({ clientId, label }: Pick<PauseAgentProps, 'clientId' | 'label'>) {
  const text = useText(agentsTexts).pause
  const trpc = useTRPC()
  const { mutateAsync: resume } = useMutation(trpc.agents.resume.mutationOptions())
  const { ask, dialog, failure } = useConfirmedDialog({
    action: { purpose: 'security.relax', subject: { client_id: clientId, paused: { from: true, to: false } } },
    send: (proof) => resume({ client_id: clientId, proof }),
  })
  return (
    <>
      <Notice
        tone="warning"
        role="status"
        title={text.paused}
        action={
          <Button data-focus-next variant="secondary" size="sm" onClick={ask}>
            {text.resume}
          </Button>
        }
      >
        {text.body}
      </Notice>
      <ConfirmDialog
        {...dialog}
        title={text.question(plainName(label))}
        confirmLabel={text.resume}
        cancelLabel={text.keep}
      >
        <p>{text.asBefore}</p>
        <StepUpFailure failure={failure} />
      </ConfirmDialog>
    </>
  )
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pause } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { plainName } from '@/components/lib/plain-text'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'
import { ResumeAgent } from './resume-agent'

interface PauseAgentProps {
  readonly clientId: string
  readonly label: string
  readonly paused: boolean
  /** The label of the button on a page that is not about the agent. */
  readonly button?: string
}

/** Pauses an agent with one press; says that a paused one is paused, and offers to resume it. */
export function PauseAgent({ clientId, label, paused, button }: PauseAgentProps) {
  const text = useText(agentsTexts).pause
  return (
    <div data-focus-scope className={cn('grid justify-items-start gap-3', paused && 'w-full')}>
      {paused ? (
        <Notice tone="warning" role="status" action={<ResumeAgent clientId={clientId} label={label} />}>
          {text.body}
        </Notice>
      ) : (
        <PauseButton clientId={clientId} button={button} />
      )}
    </div>
  )
}

interface PauseButtonProps {
  readonly clientId: string
  /** The name of the row, which the button includes in a list. */
  readonly rowName?: string
  readonly button?: string | undefined
}

export function PauseButton({ clientId, rowName, button }: PauseButtonProps) {
  const text = useText(agentsTexts).pause
  const trpc = useTRPC()
  const queries = useQueryClient()
  const pause = useMutation(trpc.agents.pause.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return (
    <>
      {pause.isError ? <RequestFailure error={pause.error} /> : null}
      <Button
        data-focus-next
        variant="secondary"
        size={rowName === undefined ? 'md' : 'sm'}
        aria-label={rowName === undefined ? undefined : text.name(plainName(rowName))}
        busy={pause.isPending}
        onClick={() => pause.mutate({ client_id: clientId })}
      >
        <Pause aria-hidden className="max-sm:hidden" />
        {button ?? text.button}
      </Button>
    </>
  )
}

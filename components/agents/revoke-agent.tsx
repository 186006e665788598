'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { plainName } from '@/components/lib/plain-text'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'

interface RevokeAgentProps {
  readonly clientId: string
  readonly label: string
  /** The label of the button, where it has to say more than "revoke". */
  readonly button?: string
  /** The number of sessions that would end; left out where it is not known. */
  readonly sessions?: number
  /** Whether the agent is already paused, so that pausing is not offered instead. */
  readonly paused?: boolean
  /** Whether the agent is already revoked; then only a revocation made on this page is reported. */
  readonly revoked?: boolean
}

/** Revokes an agent after saying what that means and what else could be done, then says what was ended. */
export function RevokeAgent({ clientId, label, button, sessions, paused = false, revoked = false }: RevokeAgentProps) {
  const text = useText(agentsTexts).revoke
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const onSettled = () => {
    setAsking(false)
    return queries.invalidateQueries()
  }
  const revoke = useMutation(trpc.agents.revoke.mutationOptions({ onSettled }))
  const pause = useMutation(trpc.agents.pause.mutationOptions({ onSettled }))
  const name = plainName(label)
  const failure = revoke.error ?? pause.error
  if (revoked && !revoke.isSuccess) return null
  return (
    <div data-focus-scope className={cn('grid justify-items-start gap-3', revoke.isSuccess && 'w-full')}>
      {revoke.isSuccess ? (
        <div data-focus-next tabIndex={-1} className="w-full rounded-card">
          <Notice tone="success" role="status" title={text.done(name)}>
            {text.families(revoke.data.families_revoked)}
          </Notice>
        </div>
      ) : (
        <Button variant="secondaryDanger" onClick={() => setAsking(true)}>
          {button ?? text.button}
        </Button>
      )}
      {failure === null ? null : <RequestFailure error={failure} />}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.title(name)}
        confirmLabel={text.confirm}
        destructive
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate({ client_id: clientId })}
      >
        <p>{text.sessions(sessions ?? null)}</p>
        <p>{text.consequences}</p>
        {paused ? null : (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {text.reversible}
            <Button
              variant="secondary"
              size="sm"
              busy={pause.isPending}
              onClick={() => pause.mutate({ client_id: clientId })}
            >
              {text.pauseInstead}
            </Button>
          </p>
        )}
      </ConfirmDialog>
    </div>
  )
}

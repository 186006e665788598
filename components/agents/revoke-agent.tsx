'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'

interface RevokeAgentProps {
  readonly clientId: string
  readonly label: string
  /** How many sessions would end; leave it out where that is not known. */
  readonly sessions?: number
  /** Already revoked: only what this page itself did is still told. */
  readonly revoked?: boolean
  /** What the button says where the agent is not what the page is about. */
  readonly button?: string
}

/** Ends an agent after saying what that means, and then says what it did. */
export function RevokeAgent({ clientId, label, sessions, revoked = false, button }: RevokeAgentProps) {
  const text = useText(agentsTexts).revoke
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const revoke = useMutation(
    trpc.agents.revoke.mutationOptions({
      onSettled: () => {
        setAsking(false)
        return queries.invalidateQueries()
      },
    }),
  )
  const name = plainName(label)
  if (revoked && !revoke.isSuccess) return null
  return (
    <div data-focus-scope className="grid justify-items-start gap-3">
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
      {revoke.isError ? <RequestFailure error={revoke.error} /> : null}
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
      </ConfirmDialog>
    </div>
  )
}

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { useNow } from '@/components/lib/use-now'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { consentTexts } from './messages'

interface MuteAgentProps {
  readonly clientId: string
  readonly label: string
  /** Until when it may not ask; null when it may. */
  readonly mutedUntil: string | null
}

/** Keeps the agent from asking for an hour, or says until when it may not and lets it ask again. */
export function MuteAgent({ clientId, label, mutedUntil }: MuteAgentProps) {
  const text = useText(consentTexts).mute
  const trpc = useTRPC()
  const queries = useQueryClient()
  const now = useNow()
  const after = { onSettled: () => queries.invalidateQueries() }
  const mute = useMutation(trpc.approvals.muteAgent.mutationOptions(after))
  const unmute = useMutation(trpc.approvals.unmuteAgent.mutationOptions(after))
  const failed = mute.error ?? unmute.error
  const isMuted = mutedUntil !== null && (now === null || new Date(mutedUntil).getTime() > now)
  return (
    <div className="grid justify-items-start gap-3">
      {failed === null ? null : <RequestFailure error={failed} />}
      {isMuted ? (
        <Notice
          tone="info"
          role="status"
          title={
            <>
              {text.until} <Moment at={mutedUntil} style="time" />
            </>
          }
          action={
            <Button
              variant="secondary"
              size="sm"
              busy={unmute.isPending}
              onClick={() => unmute.mutate({ client_id: clientId })}
            >
              {text.end}
            </Button>
          }
        >
          {text.body(plainName(label))}
        </Notice>
      ) : (
        <Button variant="secondary" busy={mute.isPending} onClick={() => mute.mutate({ client_id: clientId })}>
          <BellOff aria-hidden />
          {text.button}
        </Button>
      )}
    </div>
  )
}

'use client'

import { Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { agentsTexts } from './messages'
import { PauseAgent } from './pause-agent'
import { RenameAgent } from './rename-agent'
import { RevokeAgent } from './revoke-agent'

/** Lets the person pause, revoke or rename the agent. */
export function AgentActions({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts)
  const { client_id: clientId, label, paused, revoked } = agent
  const [isRenaming, setIsRenaming] = useState(false)
  const [renamed, setRenamed] = useState(0)
  const renameButton = useRef<HTMLButtonElement>(null)
  // The field replaced the button that opened it, so the focus goes back to the button.
  useEffect(() => {
    if (renamed > 0) renameButton.current?.focus()
  }, [renamed])
  const stopRenaming = () => {
    setIsRenaming(false)
    setRenamed(renamed + 1)
  }
  return (
    <div className="flex flex-wrap items-start gap-2 empty:hidden sm:gap-3 max-sm:[&_button]:px-3 max-sm:[&_button]:text-sm">
      {revoked ? null : <PauseAgent clientId={clientId} label={label} paused={paused} />}
      {revoked || isRenaming ? null : (
        <Button ref={renameButton} variant="secondary" onClick={() => setIsRenaming(true)}>
          <Pencil aria-hidden className="max-sm:hidden" />
          {text.rename.button}
        </Button>
      )}
      <RevokeAgent
        clientId={clientId}
        label={label}
        button={text.revoke.confirm}
        sessions={agent.active_families}
        paused={paused}
        revoked={revoked}
      />
      {isRenaming && !revoked ? (
        <RenameAgent clientId={clientId} ownName={agent.own_name} givenName={agent.given_name} onDone={stopRenaming} />
      ) : null}
    </div>
  )
}

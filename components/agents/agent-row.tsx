'use client'

import Link from 'next/link'
import { memo } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentSummary } from '@/components/lib/api-types'
import { Ago } from '@/components/ui/moment'
import { AgentName } from './agent-name'
import { agentState } from './agent-state'
import { agentsTexts } from './messages'
import { PauseButton } from './pause-agent'
import { ResumeAgent } from './resume-agent'
import { Spent } from './spent'

/** Shows an agent on two lines. The whole row links to its page; the button pauses or resumes the agent. */
export const AgentRow = memo(function AgentRow({ agent }: { readonly agent: AgentSummary }) {
  const agentsText = useText(agentsTexts)
  const { client_id: clientId, label, revoked, paused } = agent
  return (
    <li className="relative flex min-h-18 items-center gap-3 px-4 py-2 hover:bg-sunken tight:flex-wrap">
      <div className="grid min-w-0 flex-1 gap-0.5 tight:basis-full">
        <Link
          href={`/agents/${encodeURIComponent(clientId)}`}
          className="w-fit max-w-full min-w-0 font-semibold after:absolute after:inset-0"
        >
          <AgentName label={label} />
        </Link>
        <p className="line-clamp-3 text-xs text-muted sm:text-sm tight:line-clamp-none">
          {agentsText[agentState(agent)]} ·{' '}
          {agent.last_used_at === null ? null : (
            <>
              {agentsText.lastUsed} <Ago at={agent.last_used_at} /> ·{' '}
            </>
          )}
          <Spent amounts={agent.spent_this_month} limit={agent.monthly_limit} />
        </p>
      </div>
      <div data-focus-scope className="relative shrink-0 empty:hidden">
        {revoked ? null : paused ? (
          <ResumeAgent clientId={clientId} label={label} inRow />
        ) : (
          <PauseButton clientId={clientId} rowName={label} />
        )}
      </div>
    </li>
  )
})

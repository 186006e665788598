'use client'

import { Bot } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentSummary } from '@/components/lib/api-types'
import { plainText } from '@/components/lib/plain-text'
import { ForeignText } from '@/components/ui/foreign-text'
import { Ago } from '@/components/ui/moment'
import { AgentStatus } from './agent-status'
import { agentsTexts } from './messages'
import { Spent } from './spent'

const PURPOSE_MAX = 140

export function AgentCard({ agent }: { readonly agent: AgentSummary }) {
  const agentsText = useText(agentsTexts)
  const purpose = plainText(agent.purpose ?? '', PURPOSE_MAX)
  return (
    <li className="relative grid content-start gap-4 rounded-card border border-line bg-surface p-5 shadow-card transition-colors hover:border-control">
      <div className="flex items-start gap-3">
        <span aria-hidden className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted">
          <Bot className="size-5" />
        </span>
        <div className="grid min-w-0 flex-1 gap-0.5">
          <Link
            href={`/agents/${encodeURIComponent(agent.client_id)}`}
            className="wrap-anywhere font-semibold after:absolute after:inset-0 after:rounded-card"
          >
            <ForeignText text={agent.label} />
          </Link>
          <p className="wrap-anywhere text-sm text-muted">
            {purpose === '' ? agentsText.noPurpose : <bdi>{purpose}</bdi>}
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-3 text-sm">
        <div>
          <dt className="text-muted">{agentsText.month}</dt>
          <dd className="font-medium">
            <Spent amounts={agent.spent_this_month} />
          </dd>
        </div>
        <div>
          <dt className="text-muted">{agentsText.lastUsed}</dt>
          <dd className="font-medium">
            {agent.last_used_at === null ? agentsText.never : <Ago at={agent.last_used_at} />}
          </dd>
        </div>
      </dl>
      <AgentStatus agent={agent} />
    </li>
  )
}

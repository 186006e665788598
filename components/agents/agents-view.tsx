'use client'

import { useQuery } from '@tanstack/react-query'
import { Bot, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentSummary } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Input } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/page-header'
import { AgentCard } from './agent-card'
import { agentsTexts } from './messages'

/** Fewer than this are found by looking. */
const SEARCH_FROM = 6

interface AgentsViewProps {
  readonly initial: { readonly agents: AgentSummary[] }
}

export function AgentsView({ initial }: AgentsViewProps) {
  const agentsText = useText(agentsTexts)
  const trpc = useTRPC()
  const [term, setTerm] = useState('')
  const { data } = useQuery({ ...trpc.agents.list.queryOptions(), initialData: initial })
  const { agents } = data
  const found = agents.filter((agent) => matches(agent, term))
  const active = found.filter((agent) => !agent.revoked)
  const revoked = found.filter((agent) => agent.revoked)
  return (
    <>
      <PageHeader title={agentsText.title} description={agentsText.description} action={<ConnectLink />} />
      {agents.length >= SEARCH_FROM ? (
        <Field label={agentsText.search} className="sm:max-w-sm">
          <Input type="search" value={term} onChange={(event) => setTerm(event.target.value)} />
        </Field>
      ) : null}
      {agents.every((agent) => agent.revoked) ? (
        <EmptyState
          icon={Bot}
          title={agents.length === 0 ? agentsText.empty.title : agentsText.empty.noneActive}
          action={<ConnectLink />}
        >
          {agentsText.empty.body}
        </EmptyState>
      ) : null}
      <p role="status" className="text-muted empty:hidden">
        {term.trim() !== '' && found.length === 0 ? agentsText.noMatch(term.trim()) : null}
      </p>
      <AgentCards agents={active} label={agentsText.active} />
      {revoked.length === 0 ? null : (
        <details className="group grid gap-4">
          <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 rounded-control pe-3 font-medium text-muted">
            <ChevronRight aria-hidden className="size-5 transition-transform group-open:rotate-90" />
            {agentsText.revokedCount(revoked.length)}
          </summary>
          <div className="mt-3">
            <AgentCards agents={revoked} label={agentsText.revoked} />
          </div>
        </details>
      )}
    </>
  )
}

function ConnectLink() {
  const agentsText = useText(agentsTexts)
  return (
    <ButtonLink href="/agents/new">
      <Plus aria-hidden />
      {agentsText.connect}
    </ButtonLink>
  )
}

interface AgentCardsProps {
  readonly agents: readonly AgentSummary[]
  readonly label: string
}

function AgentCards({ agents, label }: AgentCardsProps) {
  if (agents.length === 0) return null
  return (
    <ul aria-label={label} className="grid gap-4 sm:grid-cols-2">
      {agents.map((agent) => (
        <AgentCard key={agent.client_id} agent={agent} />
      ))}
    </ul>
  )
}

function matches(agent: AgentSummary, term: string): boolean {
  const wanted = term.trim().toLowerCase()
  return [agent.label, agent.purpose ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

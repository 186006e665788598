'use client'

import { useQuery } from '@tanstack/react-query'
import { Bot, ChevronRight, Plus } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentList, AgentSummary } from '@/components/lib/api-types'
import { useSearchWords } from '@/components/lib/use-search-words'
import { ButtonLink } from '@/components/ui/button'
import { RowList } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Input } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/page-header'
import { Select } from '@/components/ui/select'
import { AgentRow } from './agent-row'
import { agentsTexts } from './messages'
import { UnusedCodes } from './unused-codes'
import { agentOrders, inOrder, useAgentOrder } from './use-agent-order'

/** The number of agents from which the list can be searched and sorted. */
const SEARCH_FROM = 2

interface AgentsViewProps {
  readonly initial: AgentList
}

export function AgentsView({ initial }: AgentsViewProps) {
  const agentsText = useText(agentsTexts)
  const trpc = useTRPC()
  const [term, setTerm] = useSearchWords()
  const { data } = useQuery({ ...trpc.agents.list.queryOptions(), initialData: initial })
  const { agents, setup_tokens: codes } = data
  const [order, setOrder] = useAgentOrder()
  const hasActive = agents.some((agent) => !agent.revoked)
  const found = inOrder(
    agents.filter((agent) => matches(agent, term)),
    order,
  )
  const active = found.filter((agent) => !agent.revoked)
  const revoked = found.filter((agent) => agent.revoked)
  return (
    <>
      <PageHeader
        title={agentsText.title}
        description={agentsText.description}
        action={hasActive ? <ConnectLink /> : null}
      />
      {codes.length === 0 ? null : <UnusedCodes codes={codes} />}
      {agents.length >= SEARCH_FROM ? (
        <div className="grid grid-cols-2 gap-3 tight:grid-cols-1 sm:max-w-xl">
          <Field label={agentsText.search}>
            <Input type="search" value={term} onChange={(event) => setTerm(event.target.value)} />
          </Field>
          <Field label={agentsText.sortBy}>
            <Select
              value={order}
              onChange={(event) => setOrder(agentOrders.find((name) => name === event.target.value) ?? 'used')}
            >
              {agentOrders.map((name) => (
                <option key={name} value={name}>
                  {agentsText.orders[name]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      ) : null}
      {hasActive ? null : (
        <EmptyState
          icon={Bot}
          title={agents.length === 0 ? agentsText.empty.title : agentsText.empty.noneActive}
          action={<ConnectLink />}
        >
          {agentsText.empty.body}
        </EmptyState>
      )}
      <p role="status" className="text-muted empty:hidden">
        {term.trim() !== '' && found.length === 0 ? agentsText.noMatch(term.trim()) : null}
      </p>
      <AgentRows agents={active} label={agentsText.active} />
      {revoked.length === 0 ? null : (
        <details className="group grid gap-4">
          <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 rounded-control pe-3 font-medium text-muted">
            <ChevronRight aria-hidden className="size-5 transition-transform group-open:rotate-90" />
            {agentsText.revokedCount(revoked.length)}
          </summary>
          <div className="mt-3">
            <AgentRows agents={revoked} label={agentsText.revoked} />
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

interface AgentRowsProps {
  readonly agents: readonly AgentSummary[]
  readonly label: string
}

function AgentRows({ agents, label }: AgentRowsProps) {
  if (agents.length === 0) return null
  return (
    <RowList aria-label={label}>
      {agents.map((agent) => (
        <AgentRow key={agent.client_id} agent={agent} />
      ))}
    </RowList>
  )
}

function matches(agent: AgentSummary, term: string): boolean {
  const wanted = term.trim().toLowerCase()
  return [agent.label, agent.purpose ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

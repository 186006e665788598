import type { Metadata } from 'next'
import { AgentPage } from '@/components/agents/agent-view'
import { plainName } from '@/components/lib/plain-text'
import { readAgent } from './read-agent'

interface AgentProps {
  readonly params: Promise<{ readonly clientId: string }>
}

export async function generateMetadata({ params }: AgentProps): Promise<Metadata> {
  const agent = await readAgent((await params).clientId)
  return { title: plainName(agent.label) }
}

export default async function Agent({ params }: AgentProps) {
  const agent = await readAgent((await params).clientId)
  return <AgentPage clientId={agent.client_id} initial={agent} />
}

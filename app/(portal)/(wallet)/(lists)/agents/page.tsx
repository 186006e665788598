import type { Metadata } from 'next'
import { AgentsView } from '@/components/agents/agents-view'
import { agentsText } from '@/components/agents/messages'
import { portal } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: agentsText.title }

export default async function Agents() {
  const api = await portal()
  return <AgentsView initial={await api.agents.list()} />
}

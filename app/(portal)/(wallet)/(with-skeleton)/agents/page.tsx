import type { Metadata } from 'next'
import { AgentsView } from '@/components/agents/agents-view'
import { agentsTexts } from '@/components/agents/messages'
import { readText } from '@/components/i18n/read-text'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const agentsText = await readText(agentsTexts)
  return { title: agentsText.title, description: agentsText.description }
}

export default async function Agents() {
  const api = await portal()
  return <AgentsView initial={await api.agents.list()} />
}

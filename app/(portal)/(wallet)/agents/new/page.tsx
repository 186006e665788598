import type { Metadata } from 'next'
import { ConnectView } from '@/components/agents/connect-view'
import { agentsTexts } from '@/components/agents/messages'
import { readText } from '@/components/i18n/read-text'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const agentsText = await readText(agentsTexts)
  return { title: agentsText.new.title, description: agentsText.new.description }
}

export default async function ConnectAgent() {
  const api = await portal()
  const { limits } = await api.limits.read()
  return <ConnectView wallet={limits} />
}

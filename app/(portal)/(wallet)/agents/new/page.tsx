import type { Metadata } from 'next'
import { ConnectView } from '@/components/agents/connect-view'
import { agentsText } from '@/components/agents/messages'

export const metadata: Metadata = { title: agentsText.new.title }

export default function ConnectAgent() {
  return <ConnectView />
}

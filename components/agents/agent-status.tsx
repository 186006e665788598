'use client'

import { Ban, CircleCheck, CircleDashed, CirclePause, type LucideIcon } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { Badge, type Tone } from '@/components/ui/badge'
import { type AgentState, agentState, type StateFacts } from './agent-state'
import { agentsTexts } from './messages'

const looks: Readonly<Record<AgentState, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  active: { icon: CircleCheck, tone: 'success' },
  paused: { icon: CirclePause, tone: 'neutral' },
  revoked: { icon: Ban, tone: 'neutral' },
  neverUsed: { icon: CircleDashed, tone: 'neutral' },
}

export function AgentStatus({ agent }: { readonly agent: StateFacts }) {
  const agentsText = useText(agentsTexts)
  const state = agentState(agent)
  return <Badge {...looks[state]}>{agentsText[state]}</Badge>
}

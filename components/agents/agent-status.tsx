'use client'

import { Ban, CircleCheck, CirclePause } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentSummary } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { agentsTexts } from './messages'

export function AgentStatus({ agent }: { readonly agent: Pick<AgentSummary, 'revoked' | 'paused'> }) {
  const agentsText = useText(agentsTexts)
  if (agent.revoked) return <Badge icon={Ban}>{agentsText.revoked}</Badge>
  if (agent.paused) return <Badge icon={CirclePause}>{agentsText.paused}</Badge>
  return (
    <Badge icon={CircleCheck} tone="success">
      {agentsText.active}
    </Badge>
  )
}

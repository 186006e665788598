'use client'

import { Ban, CircleCheck } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { Badge } from '@/components/ui/badge'
import { agentsTexts } from './messages'

export function AgentStatus({ revoked }: { readonly revoked: boolean }) {
  const agentsText = useText(agentsTexts)
  return revoked ? (
    <Badge icon={Ban}>{agentsText.revoked}</Badge>
  ) : (
    <Badge icon={CircleCheck} tone="success">
      {agentsText.active}
    </Badge>
  )
}

import { Ban, CircleCheck } from 'lucide-react'
import { Badge } from '@/components/ui/badge'
import { agentsText } from './messages'

export function AgentStatus({ revoked }: { readonly revoked: boolean }) {
  return revoked ? (
    <Badge icon={Ban}>{agentsText.revoked}</Badge>
  ) : (
    <Badge icon={CircleCheck} tone="success">
      {agentsText.active}
    </Badge>
  )
}

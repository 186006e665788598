import type { MerchantsView } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { merchantsText } from './messages'

/** Whom a rule is for, in words. */
export function agentName(agents: MerchantsView['agents'], clientId: string | null): string {
  if (clientId === null) return merchantsText.allAgents
  const label = agents.find(({ client_id: id }) => id === clientId)?.label
  return label === undefined ? merchantsText.unknownAgent : plainName(label)
}

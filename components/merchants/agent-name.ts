import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { merchantsTexts } from './messages'

/** Returns a function that names the agent, or all agents, for which a merchant rule applies. */
export function useAgentName(agents: MerchantsView['agents']): (clientId: string | null) => string {
  const { allAgents, unknownAgent } = useText(merchantsTexts)
  return (clientId) => {
    if (clientId === null) return allAgents
    const label = agents.find(({ client_id: id }) => id === clientId)?.label
    return label === undefined ? unknownAgent : plainName(label)
  }
}

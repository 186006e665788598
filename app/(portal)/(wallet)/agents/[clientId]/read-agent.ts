import { cache } from 'react'
import { orNotFound, portal } from '@/server/transport/trpc/rsc'

/** Returns the agent, read once for the page and its title. */
export const readAgent = cache(async (clientId: string) => {
  const api = await portal()
  return orNotFound(api.agents.one({ client_id: clientId }))
})

import { cache } from 'react'
import { orNotFound, portal } from '@/server/trpc/rsc'

/** For the page and for its title; the segment comes percent-encoded. */
export const readAgent = cache(async (segment: string) => {
  const api = await portal()
  return orNotFound(api.agents.one({ client_id: decodeURIComponent(segment) }))
})

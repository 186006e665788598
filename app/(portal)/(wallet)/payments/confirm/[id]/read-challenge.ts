import { cache } from 'react'
import { orNotFound, portal } from '@/server/transport/trpc/rsc'

/** For the page and for its title. */
export const readChallenge = cache(async (id: string) => {
  const api = await portal()
  return orNotFound(api.payments.stepUp({ id }))
})

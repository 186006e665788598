import { cache } from 'react'
import { orNotFound, portal } from '@/server/transport/trpc/rsc'

/** Returns the challenge, read once for the page and its title. */
export const readChallenge = cache(async (id: string) => {
  const api = await portal()
  return orNotFound(api.payments.stepUp({ id }))
})

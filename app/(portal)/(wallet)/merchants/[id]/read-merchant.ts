import { cache } from 'react'
import { orNotFound, portal } from '@/server/transport/trpc/rsc'

/** For the page and for its title. */
export const readMerchant = cache(async (id: string) => {
  const api = await portal()
  return orNotFound(api.merchants.one({ id }))
})

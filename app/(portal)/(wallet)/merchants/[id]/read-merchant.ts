import { cache } from 'react'
import { orNotFound, portal } from '@/server/transport/trpc/rsc'

/** Returns the merchant, read once for the page and its title. */
export const readMerchant = cache(async (id: string) => {
  const api = await portal()
  return orNotFound(api.merchants.one({ id }))
})

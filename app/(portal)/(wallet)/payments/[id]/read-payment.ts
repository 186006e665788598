import { cache } from 'react'
import { orNotFound, portal } from '@/server/transport/trpc/rsc'

/** Returns the payment, read once for the page and its title. */
export const readPayment = cache(async (id: string) => {
  const api = await portal()
  return orNotFound(api.payments.one({ id }))
})

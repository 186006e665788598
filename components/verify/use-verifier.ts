'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import type { Report } from '@/verify/src/index'

/** The largest pack that is read, in bytes. A usual pack has some kilobytes; one of two hundred items some hundred. */
export const PACK_MAX_BYTES = 2_000_000

interface Question {
  readonly pack: string
  /** The JSON of a JWK set; empty for the pack's own keys. */
  readonly keys: string
}

/**
 * Checks a pack in the browser. The verifier is loaded with the page, not when a file is chosen, so that the page sends
 * nothing from then on. React Query must not wait for a network, either.
 */
export function useVerifier() {
  const verifier = useQuery({
    queryKey: ['evidence verifier'],
    queryFn: async () => (await import('@/verify/src/index')).verifyPack,
    networkMode: 'always',
    staleTime: Infinity,
  })
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ pack, keys }: Question): Promise<Report> => {
      const verifyPack = verifier.data ?? (await import('@/verify/src/index')).verifyPack
      return verifyPack(pack, keys.trim() === '' ? {} : { jwks: JSON.parse(keys) as unknown })
    },
  })
}

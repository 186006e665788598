import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'

export type Removal = ReturnType<typeof useRemoval>

/** Takes a currency away, which never waits: its payments are refused then. */
export function useRemoval() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(trpc.limits.removeCurrency.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
}

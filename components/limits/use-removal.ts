import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'

export type Removal = ReturnType<typeof useRemoval>

/** Removes the limits of a currency, without a confirmation: its payments are then refused. */
export function useRemoval() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(trpc.limits.removeCurrency.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
}

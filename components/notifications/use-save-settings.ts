import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'

/** Saves one row of how and when messages come, at once. */
export function useSaveSettings() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(trpc.notifications.saveSettings.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
}

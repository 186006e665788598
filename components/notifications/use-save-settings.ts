import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'

/** Saves one row of how and when messages come, at once; what was pressed last is saved last. */
export function useSaveSettings() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.notifications.saveSettings.mutationOptions({
      scope: { id: 'message-settings' },
      onSettled: () => queries.invalidateQueries(),
    }),
  )
}

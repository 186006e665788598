import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'

/** Saves one message setting at once. Several are sent one after the other, so that the last one wins. */
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

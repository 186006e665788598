import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useFirstTimeZone } from '@/components/limits/use-first-time-zone'

/**
 * Saves one message setting at once. Several are sent one after the other, so that the last one wins. The first hours
 * are in the time zone of the reader, unless another one was chosen.
 */
export function useSaveSettings() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const chooseTimeZone = useFirstTimeZone()
  return useMutation(
    trpc.notifications.saveSettings.mutationOptions({
      scope: { id: 'message-settings' },
      onMutate: ({ quiet_hours: quiet, summary_hour: summary }) => {
        const saved = queries.getQueryData(trpc.notifications.settings.queryKey())
        const isFirst = saved?.quiet_hours === null && saved.summary_hour === null
        return isFirst && (quiet != null || summary != null) ? chooseTimeZone() : undefined
      },
      onSettled: () => queries.invalidateQueries(),
    }),
  )
}

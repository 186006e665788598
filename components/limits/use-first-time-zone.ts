import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useTimeZone } from '@/components/i18n/clock'
import { timeZoneOf } from './limits-draft'
import { onlyCaps } from './wanted-limits'

/**
 * Returns a function that stores the reader's time zone with the person's limits while none was chosen: for the first
 * choice that depends on it. Where that fails, the stored one stays.
 */
export function useFirstTimeZone(): () => Promise<void> {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const readersOwn = useTimeZone()
  const { mutateAsync: save } = useMutation(trpc.limits.save.mutationOptions())
  const store = async () => {
    const { limits } = await queries.fetchQuery(trpc.limits.read.queryOptions())
    if (limits === null) return
    const { currency, velocity_count, velocity_window_seconds } = limits
    const timeZone = timeZoneOf(limits, readersOwn)
    if (timeZone === limits.time_zone) return
    await save({ ...onlyCaps(limits), currency, velocity_count, velocity_window_seconds, time_zone: timeZone })
  }
  return () => store().catch(() => undefined)
}

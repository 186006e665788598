import type { NotificationChoice } from '@/components/lib/api-types'

/** On which ways somebody hears of what waits for them, by their own choice. */
export type ToldBy = 'email' | 'rcs' | 'both' | 'nothing'

interface Reachable {
  readonly choice: NotificationChoice
  readonly email: string | null
  /** Whether there is a carrier for phone messages. */
  readonly phoneMessages: boolean
}

/** People who never chose a channel are notified by e-mail, if they have an address. */
export function toldBy({ choice, email, phoneMessages }: Reachable): ToldBy {
  const byEmail = email !== null && (choice?.email_enabled ?? true)
  const byPhone = phoneMessages && choice?.rcs_enabled === true
  if (byEmail && byPhone) return 'both'
  if (byPhone) return 'rcs'
  return byEmail ? 'email' : 'nothing'
}

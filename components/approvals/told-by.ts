import type { ContactsView } from '@/components/lib/api-types'

/** The channels by which a person is notified of what waits for them. */
export type ToldBy = 'email' | 'rcs' | 'push' | 'both' | 'several' | 'nothing'

export function toldBy({ told_by: channels }: Pick<ContactsView, 'told_by'>): ToldBy {
  const [channel, other] = channels
  if (other === undefined) return channel ?? 'nothing'
  return channels.includes('push') ? 'several' : 'both'
}

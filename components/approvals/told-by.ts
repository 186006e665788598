import type { ContactsView } from '@/components/lib/api-types'

/** On which ways a person hears of what waits for them. */
export type ToldBy = 'email' | 'rcs' | 'both' | 'nothing'

export function toldBy({ told_by: [channel, other] }: Pick<ContactsView, 'told_by'>): ToldBy {
  return other === undefined ? (channel ?? 'nothing') : 'both'
}

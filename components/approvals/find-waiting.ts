import type { WaitingItem } from './use-waiting'

/**
 * Returns the waiting items whose shop, agent, items or amount contain all the typed words; all of them when there are
 * no words.
 */
export function findWaiting(items: readonly WaitingItem[], typed: string): readonly WaitingItem[] {
  const words = fold(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return items
  return items.filter(({ title, payee, agent, consent }) => {
    const goods = consent?.line_items?.map(({ title: name, sku }) => name ?? sku) ?? []
    const text = fold([title, payee, consent?.merchant_audience, agent, ...goods].join(' '))
    return words.every((word) => text.includes(word))
  })
}

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

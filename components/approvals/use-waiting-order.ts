'use client'

import { useSearchParams } from 'next/navigation'

export type WaitingOrder = 'time' | 'agent'

/** How the requests that wait are laid out. The choice is part of the address, as `?by=agent`, so that it can be linked to. */
export function useWaitingOrder(): readonly [WaitingOrder, (order: WaitingOrder) => void] {
  const order = useSearchParams().get('by') === 'agent' ? 'agent' : 'time'
  return [order, showOrder]
}

function showOrder(order: WaitingOrder): void {
  const url = new URL(window.location.href)
  if (order === 'agent') url.searchParams.set('by', order)
  else url.searchParams.delete('by')
  window.history.replaceState(null, '', url)
}

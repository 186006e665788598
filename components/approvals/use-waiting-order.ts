'use client'

import { useSearchParams } from 'next/navigation'
import { showInAddress } from '@/components/lib/show-in-address'

export type WaitingOrder = 'time' | 'agent'

/** How the requests that wait are laid out. The choice is part of the address, as `?by=agent`, so that it can be linked to. */
export function useWaitingOrder(): readonly [WaitingOrder, (order: WaitingOrder) => void] {
  const order = useSearchParams().get('by') === 'agent' ? 'agent' : 'time'
  return [order, (next) => showInAddress('by', next === 'agent' ? next : null)]
}

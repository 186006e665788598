'use client'

import { useSearchParams } from 'next/navigation'
import { goInAddress } from '@/components/lib/show-in-address'

export type WaitingOrder = 'time' | 'agent'

/**
 * Returns how waiting approvals are laid out, and the setter. The address holds it as `?by=agent`, so that it can be
 * linked to.
 */
export function useWaitingOrder(): readonly [WaitingOrder, (order: WaitingOrder) => void] {
  const order = useSearchParams().get('by') === 'agent' ? 'agent' : 'time'
  return [order, (next) => goInAddress('by', next === 'agent' ? next : null)]
}

'use client'

import { useId } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { ForeignText } from '@/components/ui/foreign-text'
import { DeclineAll } from './decline-all'
import { consentTexts } from './messages'
import type { WaitingItem } from './use-waiting'
import { WaitingRows } from './waiting-rows'

/** Lists what waits by agent, with a button that declines all approvals of one agent. */
export function WaitingByAgent({ items }: { readonly items: readonly WaitingItem[] }) {
  return [...byAgent(items)].map(([agent, ofAgent]) => <AgentItems key={agent} items={ofAgent} />)
}

/**
 * Groups by the agent's id, since two agents may have the same name; the agent of the earliest to expire comes first.
 */
function byAgent(items: readonly WaitingItem[]): ReadonlyMap<string, readonly WaitingItem[]> {
  const groups = new Map<string, WaitingItem[]>()
  for (const item of items) {
    groups.set(item.clientId, [...(groups.get(item.clientId) ?? []), item])
  }
  return groups
}

function AgentItems({ items }: { readonly items: readonly WaitingItem[] }) {
  const { list } = useText(consentTexts)
  const totals = useTotals(items)
  const label = items[0]?.agent ?? ''
  const consents = items.map(({ consent }) => consent).filter((consent) => consent !== null)
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={heading} className="wrap-anywhere text-lg font-semibold tracking-tight">
          <ForeignText text={label} />
          <span className="font-normal text-muted">
            {'\u00A0· '}
            {list.waitingCount(items.length)}
            {totals === '' ? null : ` · ${totals}`}
          </span>
        </h2>
        {consents.length === 0 ? null : <DeclineAll agent={label} consents={consents} />}
      </div>
      <WaitingRows items={items} />
    </section>
  )
}

/** Returns the sum in each currency, in words. */
function useTotals(items: readonly WaitingItem[]): string {
  const format = useFormat()
  const sums = new Map<string, number>()
  for (const { amount } of items) {
    if (amount !== null) sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + amount.minor)
  }
  return [...sums].map(([currency, minor]) => format.money(minor, currency)).join(', ')
}

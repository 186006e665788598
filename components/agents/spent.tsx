'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { AgentSummary } from '@/components/lib/api-types'
import { Money } from '@/components/ui/money'
import { agentsTexts } from './messages'

/** One amount per currency; they are never added up. */
export function Spent({ amounts }: { readonly amounts: AgentSummary['spent_this_month'] }) {
  const agentsText = useText(agentsTexts)
  if (amounts.length === 0) return agentsText.nothing
  return (
    <span className="inline-flex flex-wrap gap-x-3">
      {amounts.map(({ currency, amount_minor: minor }) => (
        <Money key={currency} minor={minor} currency={currency} />
      ))}
    </span>
  )
}

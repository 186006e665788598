'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { AgentSummary } from '@/components/lib/api-types'
import { agentsTexts } from './messages'

interface SpentProps {
  readonly amounts: AgentSummary['spent_this_month']
  readonly limit: AgentSummary['monthly_limit']
}

/** Shows what was spent this month, and the limit where there is one: one amount per currency, never added up. */
export function Spent({ amounts, limit }: SpentProps) {
  const agentsText = useText(agentsTexts)
  const format = useFormat()
  const inLimit = amounts.find(({ currency }) => currency === limit?.currency)
  const limited =
    limit === null
      ? []
      : [
          agentsText.ofLimit(
            format.money(inLimit?.amount_minor ?? 0, limit.currency),
            format.money(limit.amount_minor, limit.currency),
          ),
        ]
  const others = amounts.filter((amount) => amount !== inLimit)
  const sums = [...limited, ...others.map(({ currency, amount_minor: minor }) => format.money(minor, currency))]
  return sums.length === 0 ? agentsText.nothing : agentsText.thisMonth(sums.join(', '))
}

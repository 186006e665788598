'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Money } from '@/components/ui/money'
import { ShareBar } from '@/components/ui/share-bar'
import { agentsTexts } from './messages'

interface SpentByMerchantProps {
  readonly spent: AgentView['spent_by_merchant']
}

/** A table whose rows carry their bars. Lengths are comparable within one currency only, so each has its own scale. */
export function SpentByMerchant({ spent }: SpentByMerchantProps) {
  const text = useText(agentsTexts).one
  if (spent.length === 0) return <p className="text-muted">{text.nothingSpent}</p>
  const most = new Map<string, number>()
  for (const { currency, amount_minor: minor } of spent) most.set(currency, Math.max(minor, most.get(currency) ?? 1))
  return (
    <table aria-label={text.byMerchant} className="w-full border-collapse">
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="pb-1 text-start font-medium">
            {text.merchant}
          </th>
          <th scope="col" className="pb-1 pe-4 text-end font-medium whitespace-nowrap">
            {text.count}
          </th>
          <th scope="col" className="pb-1 text-end font-medium whitespace-nowrap">
            {text.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {spent.map((row) => (
          <tr key={`${row.merchant_audience} ${row.currency}`} className="border-t border-line align-top">
            <th scope="row" className="w-full py-2 pe-4 text-start font-normal">
              <bdi className="wrap-anywhere">{merchantName(row.merchant_name, row.merchant_audience)}</bdi>
              <ShareBar share={row.amount_minor / (most.get(row.currency) ?? 1)} />
            </th>
            <td className="py-2 pe-4 text-end tabular-nums">{row.payments}</td>
            <td className="py-2 text-end">
              <Money minor={row.amount_minor} currency={row.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

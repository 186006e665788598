'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { AmountTable } from '@/components/ui/amount-table'
import { agentsTexts } from './messages'

interface SpentByMerchantProps {
  readonly spent: AgentView['spent_by_merchant']
}

/**
 * Shows what the agent spent at each merchant. Bars have one scale per currency, since amounts in different currencies
 * cannot be compared.
 */
export function SpentByMerchant({ spent }: SpentByMerchantProps) {
  const text = useText(agentsTexts).one
  const most = new Map<string, number>()
  for (const { currency, amount_minor: minor } of spent) most.set(currency, Math.max(minor, most.get(currency) ?? 1))
  const rows = spent.map((row) => ({
    key: `${row.merchant_audience} ${row.currency}`,
    name: <bdi className="wrap-anywhere">{merchantName(row.merchant_name, row.merchant_audience)}</bdi>,
    share: row.amount_minor / (most.get(row.currency) ?? 1),
    payments: row.payments,
    minor: row.amount_minor,
    currency: row.currency,
  }))
  const columns = { name: text.merchant, payments: text.count, amount: text.amount }
  return <AmountTable label={text.byMerchant} columns={columns} rows={rows} />
}

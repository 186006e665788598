'use client'

import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { CurrencySpending, SpendingView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { AmountTable } from '@/components/ui/amount-table'
import { Card, Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { RequestFailure } from '@/components/ui/request-failure'
import { PageSkeleton } from '@/components/ui/skeleton'
import { paymentsTexts } from './messages'
import { SpendByDay } from './spend-by-day'

/** What was spent in the last thirty days: one part per currency, since sums of different ones have no common sum. */
export function Spending({ initial }: { readonly initial: SpendingView | null }) {
  const text = useText(paymentsTexts).spending
  const trpc = useTRPC()
  const { data, error } = useQuery({
    ...trpc.payments.spending.queryOptions(),
    ...(initial === null ? {} : { initialData: initial }),
  })
  if (data === undefined) return error === null ? <PageSkeleton /> : <RequestFailure error={error} />
  if (data.currencies.length === 0) {
    return (
      <EmptyState icon={ChartColumn} title={text.none.title}>
        {text.none.body}
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-muted">{text.utc}</p>
      {data.currencies.map((spending) => (
        <CurrencyPart key={spending.currency} spending={spending} />
      ))}
    </div>
  )
}

function CurrencyPart({ spending }: { readonly spending: CurrencySpending }) {
  const text = useText(paymentsTexts).spending
  const format = useFormat()
  const { currency, amount_minor: minor, count } = spending
  return (
    <Section id={`spending-${currency}`} title={`${text.period}: ${text.total(format.money(minor, currency), count)}`}>
      <Card className="grid gap-6">
        <SpendByDay spending={spending} />
        <ByMerchant spending={spending} />
      </Card>
    </Section>
  )
}

function ByMerchant({ spending }: { readonly spending: CurrencySpending }) {
  const text = useText(paymentsTexts).spending
  const { currency, merchants } = spending
  const highest = Math.max(...merchants.map(({ amount_minor }) => amount_minor))
  const rows = merchants.map(({ merchant_name: name, merchant_audience: audience, amount_minor: minor }) => ({
    key: audience ?? '',
    name: <bdi className="wrap-anywhere">{audience === null ? text.others : merchantName(name, audience)}</bdi>,
    share: minor / highest,
    minor,
    currency,
  }))
  return (
    <AmountTable
      label={text.byMerchantIn(currency)}
      caption={text.byMerchant}
      columns={{ name: text.merchant, amount: text.amount }}
      rows={rows}
    />
  )
}

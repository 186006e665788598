'use client'

import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { CurrencySpending, SpendingView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { onWire } from '@/components/lib/on-wire'
import { Card, Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Money } from '@/components/ui/money'
import { RequestFailure } from '@/components/ui/request-failure'
import { ShareBar } from '@/components/ui/share-bar'
import { PageSkeleton } from '@/components/ui/skeleton'
import { useTRPC } from '@/server/trpc/client'
import { paymentsTexts } from './messages'
import { SpendByDay } from './spend-by-day'

/** What was spent in the last thirty days: one part per currency, since sums of different ones have no common sum. */
export function Spending({ initial }: { readonly initial: SpendingView | null }) {
  const text = useText(paymentsTexts).spending
  const trpc = useTRPC()
  const { data, error } = useQuery({
    ...trpc.payments.spending.queryOptions(),
    ...(initial === null ? {} : { initialData: onWire(initial) }),
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

/** A table whose rows carry their bars: nothing is shown that is not also written. */
function ByMerchant({ spending }: { readonly spending: CurrencySpending }) {
  const text = useText(paymentsTexts).spending
  const { currency, merchants } = spending
  const highest = Math.max(...merchants.map(({ amount_minor }) => amount_minor))
  return (
    <table aria-label={text.byMerchantIn(currency)} className="w-full border-collapse text-start">
      <caption className="pb-2 text-start font-semibold">{text.byMerchant}</caption>
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="pb-1 text-start font-medium">
            {text.merchant}
          </th>
          <th scope="col" className="whitespace-nowrap pb-1 text-end font-medium">
            {text.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {merchants.map((merchant) => (
          <tr key={merchant.merchant_audience ?? ''} className="border-t border-line align-top">
            <th scope="row" className="w-full py-2 pe-4 text-start font-normal">
              <bdi className="wrap-anywhere">
                {merchant.merchant_audience === null
                  ? text.others
                  : merchantName(merchant.merchant_name, merchant.merchant_audience)}
              </bdi>
              <ShareBar share={merchant.amount_minor / highest} />
            </th>
            <td className="py-2 text-end">
              <Money minor={merchant.amount_minor} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

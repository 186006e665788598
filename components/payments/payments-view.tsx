'use client'

import { useQuery } from '@tanstack/react-query'
import { Receipt, SearchX } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PaymentPageView } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { DownloadLink } from '@/components/ui/download-link'
import { EmptyState } from '@/components/ui/empty-state'
import { csvOf, type PaymentFilter, queryOf, toApiFilter } from './filter'
import { filterTexts } from './filter-messages'
import { paymentsTexts } from './messages'
import { PaymentList } from './payment-list'

interface PaymentsViewProps {
  readonly filter: PaymentFilter
  readonly cursor?: string
  readonly initial: PaymentPageView
}

export function PaymentsView({ filter, cursor, initial }: PaymentsViewProps) {
  const paymentsText = useText(paymentsTexts)
  const trpc = useTRPC()
  const input = { ...toApiFilter(filter), ...(cursor === undefined ? {} : { cursor }) }
  const { data } = useQuery({ ...trpc.payments.list.queryOptions(input), initialData: initial })
  const isFiltered = queryOf(filter) !== ''
  return (
    <div className="grid gap-4">
      <Sum totals={data.totals} shown={isFiltered || data.payments.length > 0} />
      {data.payments.length === 0 ? (
        <NoPayments filtered={isFiltered} />
      ) : (
        <PaymentList payments={data.payments} label={paymentsText.title} />
      )}
      {cursor === undefined && data.next_cursor === null ? null : (
        <nav aria-label={paymentsText.title} className="flex justify-between gap-4">
          {cursor === undefined ? (
            <span />
          ) : (
            <ButtonLink href={`/payments${queryOf(filter)}`} variant="secondary">
              {paymentsText.newest}
            </ButtonLink>
          )}
          {data.next_cursor === null ? null : (
            <ButtonLink href={`/payments${queryOf(filter, data.next_cursor)}`} variant="secondary">
              {paymentsText.older}
            </ButtonLink>
          )}
        </nav>
      )}
      {data.payments.length === 0 ? null : <Csv filter={filter} totals={data.totals} />}
    </div>
  )
}

interface SumProps extends Pick<PaymentPageView, 'totals'> {
  readonly shown: boolean
}

/** Shows the number of payments and their sum per currency, on one line. */
function Sum({ totals, shown }: SumProps) {
  const { total, totals: label } = useText(paymentsTexts)
  const { sum } = useText(filterTexts)
  const format = useFormat()
  const sums = totals.map(({ currency, amount_minor: minor, count }) =>
    sum(total(count), format.money(minor, currency)),
  )
  return (
    <p role="status" aria-label={label} className="text-lg font-semibold tracking-tight tabular-nums">
      {shown ? sums.join(' · ') || total(0) : null}
    </p>
  )
}

/** The largest number of payments in a downloaded file. */
const CSV_MAX_PAYMENTS = 100_000

function Csv({ filter, totals }: Pick<PaymentsViewProps, 'filter'> & Pick<PaymentPageView, 'totals'>) {
  const { csv } = useText(paymentsTexts)
  const count = totals.reduce((sum, total) => sum + total.count, 0)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <DownloadLink href={csvOf(filter)}>{csv.get}</DownloadLink>
      <p className="text-sm text-muted">
        {csv.hint} {count > CSV_MAX_PAYMENTS ? csv.cut : null}
      </p>
    </div>
  )
}

function NoPayments({ filtered }: { readonly filtered: boolean }) {
  const paymentsText = useText(paymentsTexts)
  const { empty, noneMatch } = paymentsText
  return filtered ? (
    <EmptyState icon={SearchX} title={noneMatch.title}>
      {noneMatch.body}
    </EmptyState>
  ) : (
    <EmptyState icon={Receipt} title={empty.title} action={<ButtonLink href="/agents">{empty.agents}</ButtonLink>}>
      {empty.body}
    </EmptyState>
  )
}

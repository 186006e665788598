import type { Metadata } from 'next'
import { SwitchedOff } from '@/components/layout/switched-off'
import { queryOf, readFilter, type Search, toApiFilter } from '@/components/payments/filter'
import { paymentsText } from '@/components/payments/messages'
import { PaymentFilters } from '@/components/payments/payment-filters'
import { PaymentsView } from '@/components/payments/payments-view'
import { PageHeader } from '@/components/ui/page-header'
import { portal } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: paymentsText.title }

interface PaymentsProps {
  readonly searchParams: Promise<Search>
}

export default async function Payments({ searchParams }: PaymentsProps) {
  const search = await searchParams
  const filter = readFilter(search)
  const page = typeof search['cursor'] === 'string' ? { cursor: search['cursor'] } : {}
  const api = await portal()
  const [me, initial, { agents }] = await Promise.all([
    api.session.me(),
    api.payments.list({ ...toApiFilter(filter), ...page }),
    api.agents.list(),
  ])
  // Another address is another list: nothing of the one before is kept.
  const key = queryOf(filter, page.cursor)
  return (
    <>
      <PageHeader title={paymentsText.title} description={paymentsText.description} />
      {me.switches.settlement ? null : <SwitchedOff name="settlement" />}
      <PaymentFilters key={`filters ${key}`} initial={filter} agents={agents} />
      <PaymentsView key={`list ${key}`} filter={filter} initial={initial} {...page} />
    </>
  )
}

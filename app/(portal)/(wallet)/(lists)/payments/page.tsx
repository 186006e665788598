import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import { queryOf, readFilter, type Search, toApiFilter } from '@/components/payments/filter'
import { paymentsTexts } from '@/components/payments/messages'
import { PaymentFilters } from '@/components/payments/payment-filters'
import { PaymentsView } from '@/components/payments/payments-view'
import { Spending } from '@/components/payments/spending-view'
import { PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
import { portal, readMe } from '@/server/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const paymentsText = await readText(paymentsTexts)
  return { title: paymentsText.title, description: paymentsText.description }
}

interface PaymentsProps {
  readonly searchParams: Promise<Search>
}

export default async function Payments({ searchParams }: PaymentsProps) {
  const paymentsText = await readText(paymentsTexts)
  const search = await searchParams
  const filter = readFilter(search)
  const page = typeof search['cursor'] === 'string' ? { cursor: search['cursor'] } : {}
  const api = await portal()
  const [me, initial, { agents }, spending] = await Promise.all([
    readMe(),
    api.payments.list({ ...toApiFilter(filter), ...page }),
    api.agents.list(),
    // The other tab asks for it when it is opened.
    search['tab'] === 'spending' ? api.payments.spending() : null,
  ])
  // Another address is another list: nothing of the one before is kept.
  const key = queryOf(filter, page.cursor)
  const { tabs } = paymentsText
  const list = (
    <div className="grid gap-6">
      <PaymentFilters key={`filters ${key}`} initial={filter} agents={agents} />
      <PaymentsView key={`list ${key}`} filter={filter} initial={initial} {...page} />
    </div>
  )
  return (
    <>
      <PageHeader title={paymentsText.title} description={paymentsText.description} />
      {me.switches.settlement ? null : <SwitchedOff name="settlement" />}
      <Tabs
        label={tabs.label}
        items={[
          { value: 'list', label: tabs.list, content: list },
          { value: 'spending', label: tabs.spending, content: <Spending initial={spending} /> },
        ]}
      />
    </>
  )
}

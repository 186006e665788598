import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import type { Search } from '@/components/lib/read-member'
import { queryOf } from '@/components/payments/filter'
import { FilterChips } from '@/components/payments/filter-chips'
import { paymentsTexts } from '@/components/payments/messages'
import { PaymentFilters } from '@/components/payments/payment-filters'
import { PaymentSearch } from '@/components/payments/payment-search'
import { PaymentsView } from '@/components/payments/payments-view'
import { SpendingTab } from '@/components/payments/spending-tab'
import { PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
import { UnreadLink } from '@/components/ui/unread-link'
import { portal, readMe } from '@/server/transport/trpc/rsc'
import { readList } from './read-list'

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
  const api = await portal()
  const [me, { filter, page, initial, agents, unread }, spending] = await Promise.all([
    readMe(),
    readList(search),
    // The other tab asks for it when it is opened.
    search['tab'] === 'spending' ? api.payments.spending() : null,
  ])
  // Another address is another list: nothing of the one before is kept.
  const key = queryOf(filter, page.cursor)
  const { tabs } = paymentsText
  const list = (
    <div className="grid gap-6">
      {unread ? <UnreadLink href="/payments" /> : null}
      <PaymentSearch filter={filter} />
      <PaymentFilters key={`filters ${key}`} initial={filter} agents={agents} />
      <FilterChips filter={filter} agents={agents} />
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
          { value: 'spending', label: tabs.spending, content: <SpendingTab initial={spending} /> },
        ]}
      />
    </>
  )
}

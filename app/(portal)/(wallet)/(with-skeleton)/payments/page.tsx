import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import type { Search } from '@/components/lib/read-member'
import { paymentsTexts } from '@/components/payments/messages'
import { ListTab, SpendingTab } from '@/components/payments/payments-tabs'
import { readSpendingChoice, toSpendingInput } from '@/components/payments/spending-address'
import { PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
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
  const [me, { filter, page, initial, parties, unread }, spending] = await Promise.all([
    readMe(),
    readList(search),
    // The other tab requests its spending when it is opened.
    search['tab'] === 'spending' ? readSpending(search) : null,
  ])
  const { tabs } = paymentsText
  return (
    <>
      <PageHeader title={paymentsText.title} description={paymentsText.description} />
      {me.switches.settlement ? null : <SwitchedOff name="settlement" />}
      <Tabs
        label={tabs.label}
        items={[
          {
            value: 'list',
            label: tabs.list,
            content: <ListTab filter={filter} initial={initial} parties={parties} unread={unread} {...page} />,
          },
          { value: 'spending', label: tabs.spending, content: <SpendingTab initial={spending} /> },
        ]}
      />
    </>
  )
}

/** Returns the spending that the address selects, with the choice. */
async function readSpending(search: Search) {
  const { choice } = readSpendingChoice(search)
  const api = await portal()
  return { choice, view: await api.payments.spending(toSpendingInput(choice)) }
}

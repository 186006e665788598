import type { Metadata } from 'next'
import { ActivityFilters } from '@/components/activity/activity-filters'
import { ActivityPage } from '@/components/activity/activity-view'
import { queryOf, readFilter, readPosition, type Search } from '@/components/activity/filter'
import { activityTexts } from '@/components/activity/messages'
import { readText } from '@/components/i18n/read-text'
import { PageHeader } from '@/components/ui/page-header'
import { auditEvents } from '@/server/audit/contract'
import { portal } from '@/server/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(activityTexts)
  return { title, description }
}

interface ActivityProps {
  readonly searchParams: Promise<Search>
}

export default async function Activity({ searchParams }: ActivityProps) {
  const { title, description } = await readText(activityTexts)
  const address = await searchParams
  const filter = readFilter(address, auditEvents)
  const before = readPosition(address)
  const event = auditEvents.find((known) => known === filter.event)
  const search = {
    ...(event === undefined ? {} : { event }),
    ...(filter.agent === '' ? {} : { agent: filter.agent }),
    ...(before === undefined ? {} : { before }),
  }
  const api = await portal()
  const [initial, { agents }] = await Promise.all([api.activity.list(search), api.agents.list()])
  // Another address is another list: nothing of the one before is kept.
  const key = queryOf(filter, before)
  return (
    <>
      <PageHeader title={title} description={description} />
      <ActivityFilters key={`filters ${key}`} initial={filter} events={auditEvents} agents={agents} />
      <ActivityPage key={`list ${key}`} filter={filter} search={search} initial={initial} />
    </>
  )
}

import type { Metadata } from 'next'
import { ActivityFilters } from '@/components/activity/activity-filters'
import { ActivityPage } from '@/components/activity/activity-view'
import { queryOf, readAddress } from '@/components/activity/filter'
import { activityTexts } from '@/components/activity/messages'
import { readText } from '@/components/i18n/read-text'
import type { Search } from '@/components/lib/read-member'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { UnreadLink } from '@/components/ui/unread-link'
import { auditEvents } from '@/server/shared/audit/contract'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(activityTexts)
  return { title, description }
}

interface ActivityProps {
  readonly searchParams: Promise<Search>
}

export default async function Activity({ searchParams }: ActivityProps) {
  const { title, description, signIns } = await readText(activityTexts)
  const api = await portal()
  const { agents } = await api.agents.list()
  const { filter, before, unread } = readAddress(await searchParams, {
    events: auditEvents,
    agents: agents.map(({ client_id: id }) => id),
  })
  const event = auditEvents.find((known) => known === filter.event)
  const search = {
    ...(event === undefined ? {} : { event }),
    ...(filter.agent === '' ? {} : { agent: filter.agent }),
    ...(before === undefined ? {} : { before }),
  }
  const initial = await api.activity.list(search)
  // Another address is another list, so no state of the previous one is kept.
  const key = queryOf(filter, before)
  return (
    <>
      <PageHeader title={title} description={description} />
      <TextLink href="/settings/security/activity">{signIns}</TextLink>
      {unread ? <UnreadLink href="/activity" /> : null}
      <ActivityFilters key={`filters ${key}`} initial={filter} events={auditEvents} agents={agents} />
      <ActivityPage key={`list ${key}`} filter={filter} search={search} initial={initial} />
    </>
  )
}

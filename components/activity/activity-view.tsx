'use client'

import { useQuery } from '@tanstack/react-query'
import { ScrollText, SearchX } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { ActivitySearch, ActivityView } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { RowList } from '@/components/ui/card'
import { DownloadLink } from '@/components/ui/download-link'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLinks } from '@/components/ui/page-links'
import { ChainProof } from './chain-proof'
import { Entry } from './entry'
import { type ActivityFilter, queryOf } from './filter'
import { activityTexts } from './messages'

interface ActivityPageProps {
  readonly filter: ActivityFilter
  /** The filter and the position in the address, as the server reads them. */
  readonly search: ActivitySearch
  readonly initial: ActivityView
}

export function ActivityPage({ filter, search, initial }: ActivityPageProps) {
  const text = useText(activityTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.activity.list.queryOptions(search), initialData: initial })
  if (data.entries.length === 0) return <NoEntries filtered={queryOf(filter, search.before) !== ''} />
  return (
    <div className="grid gap-6">
      <ChainProof proof={data.proof} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DownloadLink href={`/activity.json${queryOf(filter)}`}>{text.json.get}</DownloadLink>
        <p className="text-sm text-muted">{text.json.hint}</p>
      </div>
      <RowList aria-label={text.title}>
        {data.entries.map((entry) => (
          <Entry key={entry.seq} entry={entry} />
        ))}
      </RowList>
      <PageLinks
        words={text}
        newest={search.before === undefined ? null : `/activity${queryOf(filter)}`}
        older={data.next_before === null ? null : `/activity${queryOf(filter, data.next_before)}`}
      />
    </div>
  )
}

function NoEntries({ filtered }: { readonly filtered: boolean }) {
  const { empty, noneMatch } = useText(activityTexts)
  return filtered ? (
    <EmptyState icon={SearchX} title={noneMatch.title}>
      {noneMatch.body}
    </EmptyState>
  ) : (
    <EmptyState icon={ScrollText} title={empty.title} action={<ButtonLink href="/agents">{empty.agents}</ButtonLink>}>
      {empty.body}
    </EmptyState>
  )
}
